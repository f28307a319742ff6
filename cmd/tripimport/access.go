package main

import (
	"context"

	"github.com/spf13/cobra"
)

func newAccess(e environment) *cobra.Command {
	cmd := e.plainCommand("access", "list the providers and funding sources that the token may use", func(ctx context.Context, s *session) error { return s.showAccess(ctx) })
	cmd.Example = `  tripimport access     proves the token, and lists the names for mappings`
	return cmd
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
