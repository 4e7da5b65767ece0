source ./lib/log.sh

fetch_image() {
  retry 5 curl -fsS "$1"
  _write net "$1"
}

retry() {
  local times=$1
  shift
  for _ in $(seq "$times"); do
    "$@" && return 0
    log_info "again"
  done
  return 1
}

latest_tag() { git describe --tags; }
