import { createHash } from 'node:crypto'
import { frameworkRole, guardedRole, trustedRole } from '@prismapi/core/database/session'
import { literal } from '@prismapi/core/database/tables'
import type { CompiledServer } from '@prismapi/core/server/compile'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { personasOf, type UserType } from '../model/persona.ts'
import { callerFunctions } from './callers.ts'
import { joinPolicies } from './join-policies.ts'
import { type Making, madeBy, seeingFunction } from './making.ts'
import { ownModels, ownTables } from './own-tables.ts'
import { type LookBehind, RowConditions } from './row-condition.ts'
import { guardModel, type Untranslated } from './row-rules.ts'
import { tablePolicies, unservedPolicies } from './table-policies.ts'

export interface Guarded {
  readonly resources: Resources
  readonly servers: readonly CompiledServer[]
  readonly userType: UserType
}

export interface GuardMigration {
  readonly sql: string
  readonly untranslated: readonly Untranslated[]
  readonly left: readonly Untranslated[]
}

/** How the first line of a migration begins that has the database refuse what policies and scopes forbid. */
export const guardMark = '-- prismapi rls '

/** The migration by which PostgreSQL itself refuses what the policies and scopes of an application forbid. */
export async function guardMigration({ resources, servers, userType }: Guarded): Promise<GuardMigration> {
  const own = ownModels(resources, servers)
  const { rules, joins, unserved, untranslated, left } = await guardModel(servers, userType, own)
  const nullable = Object.entries(userType.claims).filter(([, claim]) => claim.kind === 'symbol' && claim.isNullable)
  const everybody = {
    servers: servers.map(({ name }) => name),
    personas: personasOf(userType),
    nullable: new Set(nullable.map(([name]) => name)),
  }
  const conditions = new RowConditions(resources)
  const about: Making = { conditions, everybody, rules, resources }
  const policies = [
    ...rules.flatMap((each) => tablePolicies(each, about)),
    ...joins.flatMap((each) => joinPolicies(each, about)),
    ...unserved.flatMap(unservedPolicies),
    ...ownTables(own),
  ]
  const statements = [
    roles(resources),
    removed(resources),
    ...callerFunctions,
    ...[...conditions.functions.values()].flatMap(lookBehind),
    ...policies,
    ...left.map(({ file, reason }) => `-- Left to the framework: ${file}: ${reason}`),
  ]
  const mark = guardMark + createHash('sha256').update(statements.join('\n')).digest('base64url').slice(0, 22)
  return { sql: `${[mark, ...statements].join('\n\n')}\n`, untranslated, left }
}

/**
 * The roles belong to the cluster: another database may have made them. The role that runs the migration may become the
 * first two. Requests may become the framework's role, and the trusted role when a hook or action asks for it; they
 * have no rights of these before.
 */
function roles(resources: Resources): string {
  const made = (role: string) => `  BEGIN
    CREATE ROLE ${role} NOLOGIN NOINHERIT NOBYPASSRLS;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END;`
  const reachable = (role: string) => `  IF NOT pg_has_role(${literal(guardedRole)}, ${literal(role)}, 'member') THEN
    GRANT ${role} TO ${guardedRole};
  END IF;`
  const both = `${guardedRole}, ${trustedRole}`
  return `DO $$
DECLARE
  home text;
BEGIN
${[guardedRole, trustedRole, frameworkRole].map(made).join('\n')}
  IF NOT pg_has_role(${literal(guardedRole)}, 'member') OR NOT pg_has_role(${literal(trustedRole)}, 'member') THEN
    EXECUTE format('GRANT ${both} TO %I', current_user);
  END IF;
  IF (SELECT rolinherit FROM pg_roles WHERE rolname = ${literal(guardedRole)}) THEN
    ALTER ROLE ${guardedRole} NOINHERIT;
  END IF;
${[frameworkRole, trustedRole].map(reachable).join('\n')}
  FOREACH home IN ARRAY ARRAY[${homesOf(resources)}]::text[] LOOP
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO ${both}, ${frameworkRole}', home);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %I TO ${both}', home);
    EXECUTE format('GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA %I TO ${both}', home);
  END LOOP;
END $$;`
}

/** The schemas of the tables. */
const homesOf = ({ models }: Resources): string =>
  [
    ...new Set(
      Object.values(models).map(({ dbSchema }) => (dbSchema === null ? 'current_schema()' : literal(dbSchema))),
    ),
  ].join(', ')

/** What an earlier one of these migrations has made. */
const removed = (resources: Resources): string => `DO $$
DECLARE
  each record;
  homes regnamespace[] := ARRAY[${homesOf(resources)}]::text[]::regnamespace[];
BEGIN
  FOR each IN SELECT polrelid::regclass AS home, polname AS name FROM pg_policy JOIN pg_class c ON c.oid = polrelid
    WHERE polname LIKE 'prismapi\\_%' AND relnamespace = ANY (homes) LOOP
    EXECUTE format('DROP POLICY %I ON %s', each.name, each.home);
  END LOOP;
  FOR each IN SELECT tgrelid::regclass AS home, tgname AS name FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
    WHERE tgname = 'prismapi_guard' AND relnamespace = ANY (homes) LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', each.name, each.home);
  END LOOP;
  FOR each IN SELECT oid::regprocedure AS name FROM pg_proc
    WHERE (obj_description(oid, 'pg_proc') = ${literal(madeBy)} OR proconfig @> '{prismapi.guard=on}') AND pronamespace = ANY (homes) LOOP
    EXECUTE format('DROP FUNCTION %s', each.name);
  END LOOP;
END $$;`

const lookBehind = ({ name, parameters, of, body }: LookBehind): readonly string[] =>
  seeingFunction(
    name,
    of,
    parameters.map(({ column }) => column),
    body,
  )
