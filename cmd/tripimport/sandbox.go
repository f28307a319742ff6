package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tripimport/importer/app"
	"tripimport/importer/sandbox"
)

func newSandbox(e environment) *cobra.Command {
	var o struct{ listen, token, state, log, faults string }
	var allow []string
	cmd := &cobra.Command{
		Use:   "sandbox",
		Short: "imitate the service on this machine, or forget the rehearsals",
		Example: `  tripimport sandbox --allow "Lakeshore Transit: County Payer"
  tripimport import --base-url http://127.0.0.1:8080 schedule.xlsx
                               in another window
  tripimport sandbox reset     forget the trips and the ledger of all rehearsals`,
		Long: `Starts an imitation of the service that checks every request against the whole
contract. ` + "`--sandbox`" + ` on check, import, update and retry needs none of this: it runs
the same imitation inside the program. Its trips and its ledger are kept together from
one rehearsal to the next; ` + "`tripimport sandbox reset`" + ` forgets both.

` + faultPlanHelp(),
		Args: args(cobra.NoArgs, "sandbox takes no file"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			config := sandbox.Config{Token: o.token, State: o.state, Log: o.log}
			if o.faults != "" {
				text, err := os.ReadFile(o.faults)
				if err != nil {
					return usage("see that it is there and may be read", "the plan of faults %s can't be read", o.faults)
				}
				if config.Injections, err = sandbox.ParseInjectionPlan(text); err != nil {
					return usage("", "%s: %s", o.faults, err)
				}
			}
			return listen(cmd.Context(), e, config, o.listen, allow)
		},
	}

	flags := cmd.Flags()
	flags.StringVar(&o.listen, "listen", "127.0.0.1:8080", "`ADDRESS` to listen on, of this machine alone")
	flags.StringVar(&o.token, "token", sandbox.DefaultToken, "`TOKEN` to accept; it guards nothing")
	flags.StringVar(&o.state, "state", "", "`FILE` that keeps its trips (default: in memory)")
	flags.StringVar(&o.log, "log", "", "`FILE` for its log of requests: received, committed")
	flags.StringVar(&o.faults, "faults", "", "plan of faults to inject: a YAML `FILE`")
	flags.StringArrayVar(&allow, "allow", nil, "`PAIR` to offer, as \"Provider: Funding Source\"; may be repeated")
	cmd.AddCommand(newSandboxReset(e))
	return cmd
}

// faultPlanHelp describes the file that the flag --faults names.
func faultPlanHelp() string {
	var out strings.Builder
	out.WriteString(`The file of --faults is YAML. It says which requests fail, and how:

  seed: 42                # the same trips each time
  rate: 0.02              # this share of the bookings fails by chance
  faults:
    - trip: T-1001        # each booking of this trip
      kind: timeout
      commit: after       # it is booked nevertheless; before: it is not
      times: 1            # once
    - at: [1, 250]        # the first and the 250th booking
      kind: 429
      retry_after: 7
    - on: access          # or change; a booking otherwise
      kind: 401

A kind is an HTTP status, or one of:

`)
	for _, kind := range sandbox.Kinds() {
		out.WriteString(wrapLine(fmt.Sprintf("  %-13s %s", kind[0], kind[1]), 78, "              ") + "\n")
	}
	return strings.TrimSpace(out.String())
}

// listen starts the sandbox and serves until the context is done.
func listen(ctx context.Context, e environment, config sandbox.Config, addr string, allow []string) error {
	box, err := sandbox.New(config)
	if err != nil {
		return usage("", "%s", err)
	}

	for _, pair := range allow {
		provider, source, ok := strings.Cut(pair, ":")
		if !ok {
			return usage(`write it as "Provider: Funding Source"`, "--allow %q has no colon", pair)
		}
		box.Allow(strings.TrimSpace(provider), strings.TrimSpace(source))
	}

	server, err := box.Listen(addr)
	if err != nil {
		return usage("is another program listening there? name another port", "can't listen on %s", addr)
	}
	takes := ""
	if config.Token == sandbox.DefaultToken {
		takes = " and takes the token " + sandbox.DefaultToken
	}
	e.printf("the sandbox listens at %s%s; stop it with Ctrl-C\n", server.URL(), takes)
	<-ctx.Done()
	closing, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return errors.Join(server.Close(closing), box.Close())
}

func newSandboxReset(e environment) *cobra.Command {
	return &cobra.Command{
		Use:   "reset",
		Short: "forget the trips and the ledger of all rehearsals",
		Args:  args(cobra.NoArgs, "sandbox reset takes no file"),
		RunE: func(*cobra.Command, []string) error {
			f, err := app.FindFolders(e.forApp())
			if err != nil {
				return err
			}
			if err := app.ForgetRehearsals(f); err != nil {
				return err
			}

			_, err = fmt.Fprintln(e.Out, "the rehearsals' trips and ledger are forgotten")
			return err
		},
	}
}
