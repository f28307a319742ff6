package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tripimport/importer/nightly"
	"tripimport/importer/nightly/mail"
)

func newNightlyMail(e environment) *cobra.Command {
	return &cobra.Command{
		Use:     "mail",
		Short:   "send a test mail to those who get the mail of a night",
		Example: `  tripimport nightly mail`,
		Long: `Sends one message as a night would, to everybody listed under mail in the block
nightly.

exit: 0 the mail server took it for everybody; 1 or 2 it did not`,
		RunE: e.inSession(func(ctx context.Context, s *session, _ []string) error {
			config, err := nightConfig(s.Folders)
			if err != nil {
				return err
			}
			return s.testMail(ctx, config)
		}),
	}
}

// testMail sends a test message, and says who got it.
func (s *session) testMail(ctx context.Context, c *nightly.Config) error {
	if c.Sender == nil {
		return usage("add mail to the block nightly in "+s.Folders.Settings(), "the settings name nobody to send mail to")
	}
	host, _ := os.Hostname()
	missed, err := c.Sender.Send(ctx, mail.Message{
		Subject: "test from tripimport on " + host,
		Text:    fmt.Sprintf("This is a test, sent %s.\n\nA night's mail will come from this address.\n", time.Now().Format("Mon Jan 2 15:04 MST")),
	})
	if err != nil {
		return err
	}
	if len(missed) > 0 {
		return usage("the others got it; correct these addresses in "+s.Folders.Settings(), "not everybody got it:\n%s", strings.Join(missed, "\n"))
	}
	s.printf("%s took a test mail for %s; look whether it has come, also among the spam\n", c.Mail.Host, strings.Join(c.Mail.To, ", "))
	return nil
}
