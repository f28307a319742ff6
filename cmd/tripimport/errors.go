package main

import (
	"context"
	"errors"

	"tripimport/importer"
	"tripimport/importer/app"
)

// usage is app.Usage.
func usage(fix, format string, args ...any) error { return app.Usage(fix, format, args...) }

// explainError prints to standard error why a command failed, and what to do: spell says how.
func explainError(e environment, err error, spell importer.Speller) {
	var (
		known    importer.Advised
		panicked *app.ProgramError
	)

	switch lines := app.MappingFaults(err); {
	case err == nil:
	case errors.As(err, &known):
		e.printError(known.Error(), importer.SayAll(known.Advice(), spell))
	case lines != nil:
		for _, line := range lines {
			e.print(e.Err, inertLines(line)+"\n")
		}
		e.printError(importer.Counted(len(lines), "mistake", "mistakes")+" found in the mapping; nothing was sent", "fix the lines above")
	case errors.Is(err, context.Canceled):
		e.printError("interrupted", "")
	case errors.As(err, &panicked):
		e.printError("an error in the program itself; what was sent is recorded", "report it with the file "+e.keepStack(panicked.Stack))
	default:
		e.printError(err.Error(), "")
	}
}

// keepStack writes the stack of a panic to a file for a report, and returns the file's path.
func (e environment) keepStack(stack string) string {
	f, err := app.FindFolders(e.Environment)
	if err == nil {
		if path, ok := f.KeepStack(stack); ok {
			return path
		}
	}
	return "(which could not be written)"
}

// printError prints a reason and what to do about it to standard error.
func (e environment) printError(reason, fix string) {
	if reason != "" {
		e.print(e.Err, "tripimport: "+inertLines(reason)+"\n")
	}
	if fix != "" {
		e.print(e.Err, "what to do: "+inertLines(fix)+"\n")
	}
}
