#!/usr/bin/env bash
source "${BASH_SOURCE%/*}/../lib/log.sh"

test_info() {
  log_info "x" | grep -q x
}

test_info
# Two files define it and none of them is sourced here.
retry 2 test_info
