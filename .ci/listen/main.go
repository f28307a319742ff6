// Command listen serves the imitation of the service on a loopback address, for tests of the
// built program.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"tripimport/importer/sandbox"
	"tripimport/importer/sandbox/inject"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "listen:", err)
		os.Exit(1)
	}
}

// run serves until the context is done.
func run(ctx context.Context) error {
	var config sandbox.Config
	flag.StringVar(&config.Token, "token", sandbox.DefaultToken, "`TOKEN` to accept")
	logged := flag.String("log", "", "`FILE` for its log of requests")
	address := flag.String("listen", "127.0.0.1:8080", "`ADDRESS` to listen on, of this machine alone")
	faults := flag.String("faults", "", "YAML `FILE` with a plan of faults")
	var pairs [][2]string
	flag.Func("allow", "`PAIR` to offer, as \"Provider: Funding Source\"; may be repeated", func(pair string) error {
		provider, source, ok := strings.Cut(pair, ":")
		if !ok {
			return errors.New("it has no colon")
		}
		pairs = append(pairs, [2]string{strings.TrimSpace(provider), strings.TrimSpace(source)})
		return nil
	})
	flag.Parse()

	if *faults != "" {
		text, err := os.ReadFile(*faults)
		if err != nil {
			return err
		}
		if config.Faults, err = inject.Parse(text); err != nil {
			return err
		}
	}
	if *logged != "" {
		file, err := os.OpenFile(*logged, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }() // each line is written by itself
		encoder := json.NewEncoder(file)
		encoder.SetEscapeHTML(false)
		config.Log = func(e sandbox.Entry) {
			if err := encoder.Encode(e); err != nil {
				fmt.Fprintln(os.Stderr, "listen:", err)
			}
		}
	}
	return serve(ctx, config, *address, pairs)
}

func serve(ctx context.Context, config sandbox.Config, address string, pairs [][2]string) error {
	box, err := sandbox.New(config)
	if err != nil {
		return err
	}
	for _, pair := range pairs {
		box.Allow(pair[0], pair[1])
	}
	if !strings.HasPrefix(address, "127.0.0.1:") {
		return errors.New("it listens only on this computer: use 127.0.0.1")
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	fmt.Println("http://" + listener.Addr().String())
	server := &http.Server{Handler: box, ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(io.Discard, "", 0)} // connections fail on purpose
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
