import type { Terminal } from '../terminal.ts'

/** What is known of the answer to a request: `meta.explain` of its document, with what was asked. */
export interface Explained {
  readonly method: string
  readonly path: string
  readonly as: string | null
  readonly status: number
  readonly errors: readonly { readonly status: string; readonly title: string; readonly detail?: string }[]
  readonly decisions: readonly Decision[]
  readonly scopes: Readonly<Record<string, object>>
  /** Left out where nothing is. */
  readonly hidden?: readonly HiddenField[]
  readonly prices: readonly Price[]
  readonly levels: readonly Level[]
  /** Left out where there are none. */
  readonly fallbacks?: readonly { readonly kind: string; readonly model: string; readonly reason: string }[]
  readonly stages: Readonly<Record<string, number>>
  readonly milliseconds: number
}

interface Decision {
  readonly action: string
  readonly type: string
  readonly id: string | null
  readonly allowed: boolean
  readonly by: string
  readonly place: string | null
  /** Of a method. */
  readonly at?: string
  readonly message: string | null
  readonly decisive?: number | null
  readonly rules?: readonly Rule[]
  /** What denies it behind a request class that denies it. */
  readonly next?: Decision
}

interface Rule {
  readonly rule: number
  readonly effect: string
  /** `policies/post.policy.ts:13` */
  readonly at?: string | null
  readonly where: object | null
  readonly holds: boolean | null
}

interface HiddenField {
  readonly type: string
  readonly field: string
  readonly ids: readonly string[]
  readonly place: string
  readonly rules: readonly Pick<Rule, 'rule' | 'effect' | 'at' | 'where'>[]
}

interface Price {
  readonly points: number
  readonly limit: number
  readonly parameters: readonly { readonly parameter: string; readonly points: number }[]
}

interface Level {
  readonly operation: string
  readonly model: string
  readonly by: string
  readonly where: object
  readonly order?: readonly string[]
  readonly take?: number
  readonly rows?: number | null
  readonly count?: number
  readonly milliseconds: number | null
  readonly statements: readonly { readonly sql: string; readonly values: readonly unknown[] | null }[]
}

/** All of it, for people. */
export function explainPage(explained: Explained, { paint }: Pick<Terminal, 'paint'>, showsSql = false): string {
  const { method, path, as, status, errors, stages, milliseconds } = explained
  const times = Object.entries(stages).map(([stage, each]) => `${stage} ${each}`)
  const outcome = status < 300 && !isReading(method) ? 'authorized, and nothing was done' : status
  return [
    `${paint('bold', `${method} ${path}`)} as ${as ?? 'a guest'}: ${outcome}`,
    ...verdictLines(explained),
    ...section(
      'errors',
      errors.map(({ status, title, detail }) => `${status} ${title}${detail ? `: ${detail}` : ''}`),
    ),
    ...section('decisions', explained.decisions.flatMap(decisionLines)),
    ...section(
      'scopes',
      Object.entries(explained.scopes).map(([model, where]) => `${model}: ${JSON.stringify(where)}`),
    ),
    ...section('hidden fields', (explained.hidden ?? []).flatMap(hiddenLines)),
    ...section('price', explained.prices.flatMap(priceLines)),
    ...section(
      'reads',
      explained.levels.flatMap((level) => levelLines(level, showsSql)),
    ),
    ...section(
      'slow ways',
      (explained.fallbacks ?? []).map(({ kind, model, reason }) => `${kind} of ${model} by Prisma: ${reason}`),
    ),
    ...section('milliseconds', [...times, `all ${milliseconds}`]),
  ].join('\n')

  function section(title: string, lines: readonly string[]): string[] {
    return lines.length === 0 ? [] : ['', paint('cyan', title), ...lines.map((line) => `  ${line}`)]
  }
}

/** What denied it, with the line to look at; of a 404, what hides the row. */
function verdictLines({ decisions, status, levels, scopes }: Explained): string[] {
  const denied = decisions.find(({ allowed }) => !allowed)
  if (!denied) {
    const missing = status === 404 ? levels.findLast(({ rows }) => rows === 0) : undefined
    if (missing === undefined) return []
    const isScoped = Object.hasOwn(scopes, missing.model)
    return [`no ${missing.model} is found: the row does not exist${isScoped ? ', or the scope below hides it' : ''}`]
  }
  const deniedBy = (decision: Decision) => `${decision.action} of ${decision.type} is denied at ${causeOf(decision)}`
  return [deniedBy(denied), ...(denied.next ? [`behind it, ${deniedBy(denied.next)}`] : [])]
}

function causeOf({ place, at, rules = [], decisive, message }: Decision): string {
  const decided = rules.filter(({ rule, effect }) => (decisive == null ? effect === 'can' : rule === decisive))
  const places = decided.flatMap(({ at }) => at ?? [])
  const where = places.length > 0 ? places.join(', ') : (at ?? place ?? 'its authorizer')
  const why = message ?? (decisive == null && decided.length > 0 ? 'no rule that allows it holds for this row' : null)
  return `${where}${why === null ? '' : `: ${why}`}`
}

const priceLines = ({ points, limit, parameters }: Price): string[] => [
  `${points} of ${limit} points`,
  ...parameters.map((each) => `  ${each.parameter}: ${each.points}`),
]

const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD'

const authorities: Readonly<Record<string, string>> = {
  rules: 'by rules of',
  nobody: 'for want of a rule or method in',
  unprotected: 'because nobody is asked',
}

function decisionLines({
  action,
  type,
  id,
  allowed,
  by,
  message,
  decisive,
  rules = [],
  next,
  ...at
}: Decision): string[] {
  const subject = id === null ? type : `${type} ${id}`
  const authority = [authorities[by] ?? 'by', [at.place, at.at].filter(Boolean).join(', ')].filter(Boolean).join(' ')
  return [
    `${action} of ${subject}: ${allowed ? 'allowed' : 'denied'}, ${authority}${message === null ? '' : `: ${message}`}`,
    ...rules.map((rule) => `  ${rule.rule === decisive ? '*' : '-'} ${ruleText(rule)}`),
    ...(next ? decisionLines(next).map((line) => `  ${line}`) : []),
  ]
}

function ruleText({ holds, ...rule }: Rule): string {
  const outcome = holds === null ? 'is left open by a null' : holds ? 'holds' : 'does not hold'
  return `${effectText(rule)}: ${outcome}`
}

const effectText = ({ rule, effect, at, where }: Pick<Rule, 'rule' | 'effect' | 'at' | 'where'>): string =>
  `rule ${rule}${at ? `, ${at}` : ''}: ${effect}${where === null ? '' : ` where ${JSON.stringify(where)}`}`

const idsAtMost = 5

function hiddenLines({ type, field, ids, place, rules }: HiddenField): string[] {
  const shown = ids.slice(0, idsAtMost).join(', ')
  const more = ids.length > idsAtMost ? ` and ${ids.length - idsAtMost} more` : ''
  return [
    `${field} of ${type} ${shown}${more}, by rules of ${place}`,
    ...rules.map((each) => `  - ${effectText(each)}`),
  ]
}

function levelLines(
  { operation, model, by, where, order, take, rows, count, milliseconds, statements }: Level,
  showsSql: boolean,
): string[] {
  const answer = count === undefined ? rowsText(rows ?? 0) : `a count of ${count}`
  return [
    `${model}, ${operation} by ${by === 'sql' ? 'SQL' : 'Prisma'}: ${answer} in ${milliseconds ?? '?'} ms`,
    ...(Object.keys(where).length > 0 ? [`  where ${JSON.stringify(where)}`] : []),
    ...(order?.length ? [`  order ${order.join(', ')}`] : []),
    ...(take === undefined ? [] : [`  at most ${take}`]),
    ...(showsSql ? statements.flatMap(({ sql, values }) => [`  ${sql}`, `  ${valuesText(values)}`]) : []),
  ]
}

const rowsText = (rows: number): string => (rows === 1 ? '1 row' : `${rows} rows`)

const valuesText = (values: readonly unknown[] | null): string =>
  values === null ? 'with values that are not shown' : `with ${JSON.stringify(values)}`
