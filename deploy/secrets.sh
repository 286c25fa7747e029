#!/bin/sh
# Makes what deploy/secrets lacks: the secret key, the database's password, and the database's address with it.
# What is there stays: a new password would lock the site out of its database.
set -eu
folder="${1:-$(dirname "$0")/secrets}"
mkdir -p "$folder"
chmod 700 "$folder"

random() { head -c 48 /dev/urandom | base64 | tr -d '\n' | tr '+/' '-_'; }

# name, text: written aside first, so that no half of it is ever there. Readable in the containers, whose users differ.
keep() {
    if [ ! -e "$folder/$1" ]; then
        printf '%s\n' "$2" > "$folder/.$1"
        chmod 644 "$folder/.$1"
        mv "$folder/.$1" "$folder/$1"
        echo "Made $folder/$1"
    fi
}

if [ -e "$folder/database_url" ] && [ ! -e "$folder/database_password" ]; then
    echo "$folder/database_password is missing, which $folder/database_url holds: put it back." >&2
    exit 1
fi
keep secret_key "$(random)"
keep database_password "$(random)"
keep database_url "postgresql://touchstone:$(cat "$folder/database_password")@database:5432/touchstone"
