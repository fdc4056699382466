//go:build tools

// Package tools imports actionlint, so that Dependabot updates its version in go.mod.
package tools

import _ "github.com/rhysd/actionlint/cmd/actionlint"
