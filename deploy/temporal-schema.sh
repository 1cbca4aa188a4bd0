# Creates Temporal's two databases, or brings their schema up to the version of `temporal-sql-tool`. Safe to repeat.
# Needs temporal-sql-tool, and in the environment SQL_PLUGIN, SQL_HOST, SQL_PORT, SQL_USER and SQL_PASSWORD.
set -eu
for store in temporal visibility; do
  case $store in temporal) database=temporal ;; *) database=temporal_visibility ;; esac
  temporal-sql-tool --db "$database" create
  temporal-sql-tool --db "$database" setup-schema --version 0.0
  temporal-sql-tool --db "$database" update-schema --schema-name "postgresql/v12/$store"
done
