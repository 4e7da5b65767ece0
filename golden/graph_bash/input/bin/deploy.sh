#!/usr/bin/env bash
set -euo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$HERE/../lib/log.sh"
. "$(dirname "$0")/../lib/net.sh"

TARGET="${1:-staging}"

usage() {
  echo "deploy.sh TARGET"
  exit 1
}

deploy() {
  local image="$1"
  log_info "deploying $image to $TARGET"
  fetch_image "$image" || log_fail "no image"
  retry 3 restart_service
  docker push "$image"
}

restart_service() {
  systemctl restart app
  unknown_tool --now
}

main() {
  [[ $# -gt 0 ]] || usage
  trap cleanup EXIT
  deploy "$(latest_tag)"
}

cleanup() { log_info "bye"; }

main "$@"
