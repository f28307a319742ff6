package main

import (
	"context"

	"github.com/spf13/cobra"
)

func newAccess(e environment) *cobra.Command {
	return &cobra.Command{
		Use:     "access",
		Short:   "list the providers and funding sources that the token may use",
		Example: `  tripimport access     proves the token, and lists the names for mappings`,
		Args:    args(cobra.NoArgs, "access takes no file"),
		RunE:    e.inSession(func(ctx context.Context, s *session, _ []string) error { return s.showAccess(ctx) }),
	}
}

// showAccess asks the service for the access list, and prints it.
func (s *session) showAccess(ctx context.Context) error {
	access, err := s.Access(ctx)
	if err != nil {
		return err
	}
	for _, p := range access.Providers {
		s.printf("%s\n", p.Name)
		for _, f := range p.FundingSources {
			s.printf("    %s (%d)\n", f.Name, f.ID)
		}
	}
	return nil
}
