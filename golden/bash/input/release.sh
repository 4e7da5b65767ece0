#!/usr/bin/env bash
# Builds a release and uploads it.
set -euo pipefail

. "$(dirname "$0")/lib/log.sh"
source ./lib/retry.sh

# How often an upload is tried.
readonly MAX_TRIES=3
declare -r BUCKET="s3://releases"
declare -A checksums=()
export RELEASE_CHANNEL="${CHANNEL:-stable}"
version=$(git describe --tags)
work_dir=/tmp/release

if [ -z "$version" ]; then
  version="0.0.0"
  log_warn "no tag found"
fi

# Removes what the build left behind.
cleanup() {
  rm -rf "$work_dir"
}
trap cleanup EXIT

# Prints the digest of a file.
digest_of() {
  local file="$1" sum
  sum=$(sha256sum "$file" | cut -d' ' -f1)
  echo "$sum"
}

# Compiles one target into the work directory.
function build_target {
  local target="$1"
  local -r output="$work_dir/$target.tar.gz"
  local digest=$(digest_of "$output")
  for part in bin share; do
    log_info "packing $part for $target"
    compress "$part" >>"$output"
  done
  checksums[$target]="$digest"
  built_count=$((built_count + 1))
}

upload_all() (
  cd "$work_dir"
  while read -r name; do
    retry "$MAX_TRIES" aws s3 cp "$name" "$BUCKET/$RELEASE_CHANNEL/" || die "upload of $name failed"
  done < <(list_outputs)
)

notify() {
  local version="$2"
  curl --silent "$1" <<EOF
released $version with $built_count targets
EOF
}

main() {
  for target in "$@"; do
    build_target "$target"
  done
  case "$RELEASE_CHANNEL" in
    stable) sudo systemctl reload mirror ;;
    *) command -v gpg && sign_all ;;
  esac
  upload_all
  [[ -n ${WEBHOOK:-} ]] && notify "$WEBHOOK" "$version"
}

main "$@"
