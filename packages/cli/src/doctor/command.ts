import { readFileSync } from 'node:fs'
import { emptyThrough, shownThoughDenied } from '@prismapi/core/auth/policy-warnings'
import { unscopedElsewhere } from '@prismapi/core/server/differing-scopes'
import { anybody } from '@prismapi/core/server/rehearse'
import { lookUpLine } from '@prismapi/jsonapi/model/look-up'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { checkDefaults } from '@prismapi/jsonapi/query/check-defaults'
import { defaultLimits } from '@prismapi/jsonapi/request/limits'
import { compileRegistry } from '@prismapi/jsonapi/schema/registry'
import { type Command, UsageError } from '../command.ts'
import { compiledServers } from '../compiled-servers.ts'
import { prismaManifest } from '../prisma/parser.ts'
import { type PrismaSchema, readPrismaSchema } from '../prisma-schema.ts'
import { loadInstance, readServer, type ServerClasses } from '../server-classes.ts'
import { chooseServer, listServers } from '../servers.ts'
import { filledModels } from './filled-models.ts'
import { doctorPage, placeOf } from './page.ts'
import { changesOf, type DoctorReport, reportOf } from './report.ts'
import { claimWarnings, guardWarnings, liveWarnings, searchWarnings } from './warnings.ts'

/** `prismapi doctor`: the API that a Prisma schema becomes, and what is wrong with it. */
export const doctorCommand: Command = {
  usage: 'doctor [--server=<server>] [--schema=<path>] [--json]',
  summary: 'Shows the API that your Prisma schema becomes, and the parts of it that cannot be served.',
  details: 'The status is 1 where something cannot be served.',
  example: 'doctor',
  options: {
    server: { type: 'string', about: 'As that server serves it, by its schema classes.' },
    schema: { type: 'string', about: 'Another Prisma schema: a file, or a folder.' },
    json: { type: 'boolean', about: 'Prints it as JSON.' },
  },
  async run({ root, values, positionals }, terminal) {
    if (positionals.length > 0) throw new UsageError(`Usage: prismapi ${doctorCommand.usage}`)
    const schema = await readPrismaSchema(root, values.schema as string | undefined)
    const server = values.server === undefined ? null : chooseServer(root, values.server)
    const classes = server === null ? null : await readServer(root, server, schema.resources)
    const filled = await filledBy(root, server)
    const found = examine(schema, classes, filled)
    const guard = await guardWarnings(root, schema)
    const search = await searchWarnings(root, schema)
    const denied = await surprisesOf(root, server, schema.resources)
    const warnings = [
      ...found.warnings,
      ...liveWarnings(root, schema),
      ...search,
      ...guard,
      ...denied,
      ...(await claimWarnings(root, schema, server)),
      ...versionWarnings(),
    ]
    const report = { ...found, warnings }
    if (values.json === true) terminal.say(JSON.stringify(report, null, 2))
    else {
      const changes = classes === null ? [] : changesOf(examine(schema, null, filled), report)
      terminal.say(doctorPage(report, { title: titleOf(report, schema, server), changes }, terminal))
      const more = warnings.length > 0 ? lookUpLine(process.stdout, 'doctor#warnings') : null
      if (more !== null) terminal.say(terminal.paint('dim', `\n${more}`))
    }
    const faults = [...schema.problems, ...wrong(report).map((each) => skippedLine(each, schema))]
    if (faults.length > 0) throw new UsageError(faults.join(`\n${terminal.paint('red', 'error')} `))
  },
}

/**
 * Warns of includes that show rows which policies deny, of relations that are empty because a policy is missing, and of
 * scopes that not all servers have; or says why a server does not start.
 */
async function surprisesOf(root: string, server: string | null, resources: Resources): Promise<readonly string[]> {
  const servers = listServers(root)
  if (servers.length === 0) return []
  try {
    const compiled = await compiledServers(root, { servers, resources, baseUrl: '' })
    const chosen = compiled.filter((_, i) => server === null || servers[i] === server)
    return [
      ...chosen.flatMap((each) => [shownThoughDenied(each) ?? [], emptyThrough(each) ?? []].flat()),
      ...unscopedElsewhere(compiled, [null, anybody]),
    ]
  } catch (error) {
    return [`The start would fail: ${(error as Error).message}`]
  }
}

/** The models whose new rows hooks fill, on the server or on any. */
async function filledBy(root: string, server: string | null): Promise<ReadonlySet<string>> {
  const models = new Set<string>()
  for (const each of server === null ? listServers(root) : [server]) {
    try {
      for (const model of filledModels(await loadInstance(root, `src/app/${each}/server.ts`))) models.add(model)
    } catch {
      // Its start says why it cannot be read.
    }
  }
  return models
}

function examine(
  { resources, leftOut }: PrismaSchema,
  classes: ServerClasses | null,
  filled: ReadonlySet<string>,
): DoctorReport {
  const report = reportOf({ ...compile(resources, classes), filled }, resources)
  return { ...report, warnings: [...leftOut, ...report.warnings] }
}

function compile(resources: Resources, classes: ServerClasses | null) {
  const { only = null, schemas = new Map(), fileOf = () => undefined } = classes ?? {}
  const limits = { ...defaultLimits, ...classes?.limits }
  try {
    const compiled = compileRegistry({ resources, schemas, only, fileOf, maxPageSize: limits.maxPageSize })
    checkDefaults({ registry: compiled.registry, resources, limits, fileOf })
    return compiled
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}

function titleOf({ types }: DoctorReport, { path, resources }: PrismaSchema, server: string | null): string {
  const count = types.length === 1 ? '1 type' : `${types.length} types`
  return `${path} (${resources.provider}) becomes ${count}${server === null ? '' : ` on ${server}`}`
}

/** What the schema ignores is left out by decision. */
const wrong = ({ skipped }: DoctorReport): DoctorReport['skipped'] => skipped.filter(({ isIgnored }) => !isIgnored)

const skippedLine = (finding: DoctorReport['skipped'][number], { fileOf }: PrismaSchema): string =>
  `${fileOf(finding.model)}: ${placeOf(finding)} is not served: ${finding.reason}`

/** The versions of Prisma with which the tests of prismapi have run, from the lowest of its range to the highest. */
export const testedVersions: readonly string[] = ['7.8.0', '7.9.1', '7.10.0', '7.10.1']

/** What the installed version of Prisma may do otherwise than the tested ones; nothing for those. */
export function versionWarnings(manifest: string | null = prismaManifest()): readonly string[] {
  if (manifest === null) return []
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }
  if (testedVersions.includes(version)) return []
  return [`Prisma ${version} is installed. prismapi is tested with ${testedVersions.join(', ')}.`]
}
