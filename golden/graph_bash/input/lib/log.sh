#!/usr/bin/env bash

LOG_LEVEL=${LOG_LEVEL:-info}

log_info() {
  _write info "$@"
}

log_fail() {
  _write fail "$@"
  exit 1
}

_write() {
  printf '%s %s\n' "$LOG_LEVEL" "$*" >&2
}
