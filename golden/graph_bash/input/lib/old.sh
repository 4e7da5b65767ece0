retry() { "$@"; }

old_deploy() {
  retry fetch_image "$1"
}
