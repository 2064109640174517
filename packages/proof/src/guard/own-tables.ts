import { frameworkRole, guardedRole } from '@prismapi/core/database/session'
import { literal, quotedTable } from '@prismapi/core/database/tables'
import type { CompiledServer } from '@prismapi/core/server/compile'
import type { ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import { idempotencyKey } from '@prismapi/jsonapi/request/features'
import { isOwn } from '@prismapi/live/triggers/logged-tables'

/** The models in which the framework keeps what is for itself: kept answers, and the log of changes. */
export function ownModels({ models }: Resources, servers: readonly CompiledServer[]): readonly ModelMeta[] {
  const keys = new Set(servers.map(({ features }) => features.get(idempotencyKey)?.model))
  return Object.values(models).filter((model) => model.isHidden && (isOwn(model) || keys.has(model.name)))
}

/** Tables that no caller reaches, with the list of migrations: the framework shows callers their part of the log. */
export const ownTables = (models: readonly ModelMeta[]): readonly string[] => [
  ...models.flatMap((model) => {
    const table = quotedTable(model)
    // Of an earlier version, the log had the policies of any other table.
    return [
      `ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY;`,
      `REVOKE ALL ON ${table} FROM ${guardedRole};`,
      `GRANT ${model.name === 'Change' ? 'SELECT, DELETE' : 'SELECT, INSERT, UPDATE, DELETE'} ON ${table} TO ${frameworkRole};`,
    ]
  }),
  `DO $$ BEGIN
  IF to_regclass(${literal(migrations)}) IS NOT NULL THEN
    REVOKE ALL ON ${migrations} FROM ${guardedRole};
  END IF;
END $$;`,
]

const migrations = '_prisma_migrations'
