package main

import (
	"context"

	"github.com/spf13/cobra"

	"tripimport/importer/app"
)

func newAccess(e environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "access",
		Short: "list the providers and funding sources that the token may use",
		Example: `  tripimport access     proves the token, and lists the names for mappings
  tripimport access --json`,
		Args: args(cobra.NoArgs, "access takes no file"),
		RunE: e.inSession(func(ctx context.Context, s *session, _ []string) error { return s.showAccess(ctx, asJSON) }),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON array")
	return cmd
}

// showAccess asks the service for the access list, and prints it.
func (s *session) showAccess(ctx context.Context, asJSON bool) error {
	access, err := s.Access(ctx)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(s.Out, app.AccessNames(access))
	}
	for _, p := range access.Providers {
		s.printf("%s\n", p.Name)
		for _, f := range p.FundingSources {
			s.printf("    %s (%d)\n", f.Name, f.ID)
		}
	}
	return nil
}
