import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server'
import type { Call } from '@prismapi/core/http/call'
import { JsonApiError } from '@prismapi/jsonapi/document/error'
import { badRequest, notFound } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { BytesSeal } from '@prismapi/jsonapi/pagination/bytes-seal'
import type { AgentRequest } from './agent-request.ts'
import { type Arguments, toolNames } from './arguments.ts'
import { checkArguments } from './check-arguments.ts'
import { openState, type Question, sealState } from './confirmation.ts'
import { describeServer, describeType, type ToldServer } from './describe.ts'
import { goingAlong } from './going-along.ts'
import type { Answered, Ask, Asked } from './inner-request.ts'
import { type AskingTool, requestFor, type Versions } from './requests.ts'
import { answered, documentOf, refusals, resultOf } from './results.ts'
import { isReader } from './tools.ts'

/** One call of a tool. */
export interface ToolCall {
  readonly call: Call
  readonly told: ToldServer
  readonly ask: Ask
  readonly seal: BytesSeal
  readonly agent: Omit<AgentRequest, 'mode'>
  /** Who asks, as text. */
  readonly caller: string
  readonly isReadOnly: boolean
  /** Can the client ask its user. */
  readonly canAsk: boolean
  /** What the client has sent back to a question; null for a first call. */
  readonly reply: { readonly state: string; readonly isAccepted: boolean } | null
}

type Result = CallToolResult | InputRequiredResult

/** Carries out a tool; null where there is none of that name. */
export function callTool(toolCall: ToolCall, name: string, sent: unknown): Promise<Result> | null {
  const tool = toolNames.find((each) => each === name)
  if (tool === undefined || (toolCall.isReadOnly && !isReader(tool))) return null
  return refusals(async () => {
    const args = await checkArguments(tool, sent)
    if (tool === 'describe') return describe(toolCall.told, args)
    if (tool === 'explain') return explain(toolCall, args)
    checkTarget(tool, args)
    return (
      isReader(tool) || args.dryRun ? answerOf(toolCall, tool, args) : write(toolCall, tool, args)
    ) as Promise<CallToolResult>
  })
}

function describe(told: ToldServer, { type }: Arguments): CallToolResult {
  if (type === undefined) return resultOf(describeServer(told))
  const schema = told.schemas.byType.get(type)
  if (!schema) throw notFound(say`There is no type ${type} that you may use.`)
  return resultOf(describeType(told, schema))
}

/** @throws {JsonApiError} 400 for a resource that is not named, or named twice */
function checkTarget(tool: AskingTool, { id, ids, relation }: Arguments): void {
  if ((tool === 'update' || tool === 'delete') && (id === undefined) === (ids === undefined))
    throw badRequest(say`Name one resource by id, or several by ids.`)
  if (tool === 'list' && (id === undefined) !== (relation === undefined))
    throw badRequest(say`To list related resources, name a resource by id, and its relation.`)
}

async function answerOf(
  toolCall: ToolCall,
  tool: AskingTool,
  args: Arguments,
  versions?: Versions,
): Promise<CallToolResult> {
  const isUndone = args.dryRun === true && !isReader(tool)
  const response = await asking(toolCall, tool, args, { versions, mode: isUndone ? 'undone' : 'done' })
  const result = answered(response, isUndone)
  const onlyFigures = tool === 'stats' && args.groupBy === undefined && !result.isError
  if (!onlyFigures) return result
  const { data: _, links: __, ...document } = result.structuredContent as Record<string, unknown>
  return resultOf(document)
}

function asking(
  { call, told, ask, agent }: ToolCall,
  tool: AskingTool,
  args: Arguments,
  { mode, versions }: { readonly mode: AgentRequest['mode']; readonly versions?: Versions | undefined },
): Promise<Answered> {
  return ask(call, requestFor(told.server, tool, args, versions), { ...agent, mode })
}

/** A write that cannot be taken back is asked about first, where the client can ask. */
async function write(toolCall: ToolCall, tool: AskingTool, args: Arguments): Promise<Result> {
  const { told, seal, caller, reply, canAsk } = toolCall
  const question: Question = { tool, args, caller }
  if (reply !== null) {
    const known = openState(seal, question, reply.state)
    if (known === null)
      throw badRequest(say`The requestState is over, or belongs to another call. Call the tool again without it.`)
    if (!reply.isAccepted) throw declined()
    return answerOf(toolCall, tool, { idempotencyKey: known.key, ...args }, known.versions)
  }
  if (!canAsk || !isAskedAbout(told, tool, args)) return answerOf(toolCall, tool, args)
  const versions = await versionsOf(toolCall, args)
  const rehearsed = await asking(toolCall, tool, args, { mode: 'undone', versions })
  if (rehearsed.status >= 400) return answered(rehearsed, true)
  const { type = '', id, ids } = args
  const targets = ids ?? (id === undefined ? [] : [id])
  const along = tool === 'delete' ? await goingAlong(toolCall.call, told, type, targets) : []
  const { inputRequired } = await import('@modelcontextprotocol/server')
  const asked = inputRequired({
    inputRequests: {
      confirm: inputRequired.elicit({
        message: questionText(tool, args, along),
        requestedSchema: {
          type: 'object',
          properties: { confirm: { type: 'boolean', title: 'Carry it out' } },
          required: ['confirm'],
        },
      }),
    },
    requestState: sealState(seal, question, versions),
  })
  return { ...asked, _meta: { type, count: targets.length, along } }
}

const declined = () =>
  new JsonApiError(409, {
    title: 'Not Confirmed',
    code: 'not_confirmed',
    detail: say`The user did not confirm it. Nothing was changed.`,
  })

/** Names and numbers alone: nothing that was stored, which could talk the reader into something. */
function questionText(
  tool: AskingTool,
  { type, ids, action, id }: Arguments,
  along: Awaited<ReturnType<typeof goingAlong>>,
): string {
  const what = `${ids?.length ?? 1} of ${type}`
  const others = along.map(({ type, fate, count }) => `${count ?? 'many'} of ${type} (${fate})`)
  if (tool === 'delete') return `Delete ${what}?${others.length > 0 ? ` With them: ${others.join(', ')}.` : ''}`
  if (tool === 'update') return `Change ${what}?`
  return `Carry out ${action} ${id === undefined ? `for ${type}` : `with ${what}`}? It cannot be taken back.`
}

function isAskedAbout(
  { schemas }: ToldServer,
  tool: AskingTool,
  { type = '', ids = [], action = '' }: Arguments,
): boolean {
  if (tool === 'act') return schemas.byType.get(type)?.actions.get(action)?.isDestructive === true
  return tool === 'delete' || (tool === 'update' && ids.length > 1)
}

/** The versions of the resources that a question is about, as far as the caller may see them. */
async function versionsOf(toolCall: ToolCall, { type = '', id, ids = [] }: Arguments): Promise<Versions> {
  const { call, told, ask, agent } = toolCall
  const named = id === undefined ? ids : [id]
  const versions = new Map<string, string>()
  for (const target of named) {
    const one = typeof target === 'string' ? { type, id: target } : target
    const asked: Asked = requestFor(told.server, 'get', { ...one, fields: { [one.type]: [] } })
    const { headers } = await ask(call, asked, { ...agent, mode: 'done' })
    const [, version] = /^"([^"]*)"$/.exec(String(headers.etag ?? '')) ?? []
    if (version !== undefined) versions.set(one.id, version)
  }
  return versions
}

const doing: ReadonlySet<string> = new Set(['list', 'get', 'create', 'update', 'delete', 'link'])

/** Whether a tool or an action may be carried out: the request ends as soon as the server knows that. */
async function explain(toolCall: ToolCall, args: Arguments): Promise<CallToolResult> {
  const { action = '' } = args
  const tool = (doing.has(action) ? action : 'act') as AskingTool
  checkTarget(tool, args)
  const response = await asking(toolCall, tool, args, { mode: 'asked' })
  const { errors } = documentOf(response)
  return resultOf({ allowed: response.status < 400, ...(errors !== undefined && { errors }) })
}
