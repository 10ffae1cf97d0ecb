#!/bin/sh
# Puts this build on a server with nginx: sh dist/hosting/nginx/deploy.sh user@server
set -eu
server=${1:?"expected the server, such as root@__HOST__"}
here=$(cd "$(dirname "$0")" && pwd)
ssh "$server" 'mkdir -p __FOLDER__/assets __FOLDER__/releases'
rsync --archive "$here/../../site/assets/" "$server:__FOLDER__/assets/"
rsync --archive --exclude assets --exclude _headers --exclude vercel.json "$here/../../site/" "$server:__FOLDER__/releases/__RELEASE__/"
ls "$here/../../site/assets" > "$here/release/assets.txt"
rsync --archive "$here/release/" "$server:__FOLDER__/releases/__RELEASE__.conf/"
rsync --archive --ignore-existing "$here/site.conf" "$server:/etc/nginx/conf.d/__HOST__.conf"
ssh "$server" sh -eu <<'END'
conf=/etc/nginx/conf.d/__HOST__.conf
# What is in use until now counts as new, however long ago it was built: pages that visitors have open still ask for it.
# So does what is taken into use.
old=$(readlink __FOLDER__/current || true)
for conf_of in $old releases/__RELEASE__.conf; do
    (cd __FOLDER__ && touch "$conf_of" "${conf_of%.conf}" && cd assets && xargs touch -c < "../$conf_of/assets.txt") || true
done
ln -sfn releases/__RELEASE__.conf __FOLDER__/current
: > __FOLDER__/extras.conf
# Brotli where its module is loaded; HTTP/2 as this nginx says it, once certbot has made the site listen on 443.
if nginx -T 2>/dev/null | grep -q brotli_static_module; then echo 'brotli_static on;' >> __FOLDER__/extras.conf; fi
version=$(nginx -v 2>&1 | sed 's|.*/||; s| .*||')
is_at_least() { [ "$(printf '%s\n%s\n' "$1" "$version" | sort -V | head -1)" = "$1" ]; }
# At a reload, a connection that waits for its next request is closed after an answer, not before.
if is_at_least 1.27.4; then echo 'keepalive_min_timeout 5s;' >> __FOLDER__/extras.conf; fi
if is_at_least 1.25.1; then
    echo 'http2 on;' >> __FOLDER__/extras.conf
else
    sed -i 's/\(listen .*443 ssl\);/\1 http2;/' "$conf"
fi
nginx -t || {
    # The next reload, whoever makes it, must not meet what nginx refuses.
    if [ -n "$old" ]; then ln -sfn "$old" __FOLDER__/current; fi
    exit 1
}
nginx -s reload
# Scripts and styles that no release of the last 30 days names.
find __FOLDER__/assets __FOLDER__/releases -mindepth 1 -maxdepth 1 -mtime +30 ! -name '__RELEASE__*' -exec rm -r {} +
END
