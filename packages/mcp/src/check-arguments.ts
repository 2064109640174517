import { fromJsonSchema } from '@modelcontextprotocol/server'
import { JsonApiError, throwAll } from '@prismapi/jsonapi/document/error'
import { say } from '@prismapi/jsonapi/document/text'
import { type Arguments, inputSchema, type ToolName } from './arguments.ts'

const checks = new Map<ToolName, ReturnType<typeof checkOf>>()

const checkOf = (tool: ToolName) => fromJsonSchema<Arguments>(inputSchema(tool, null))

/**
 * The arguments of a tool, in their form. Which types there are is for the server to say.
 *
 * @throws {JsonApiError} 400 for each that is wrong, with its place among the arguments
 */
export async function checkArguments(tool: ToolName, sent: unknown): Promise<Arguments> {
  const check = checks.get(tool) ?? checkOf(tool)
  checks.set(tool, check)
  const checked = await check['~standard'].validate(sent ?? {})
  if (!checked.issues) return checked.value
  throwAll(checked.issues.flatMap(({ message }) => message.split(/, (?=data[/ ])/).map(refusal)))
  throw new Error('check-arguments.ts: arguments were refused for no reason.')
}

/** The validator writes `data/sort must be string`. */
function refusal(message: string): JsonApiError {
  const [, pointer = '', what = message] = /^data(\/\S*)? (.*)$/s.exec(message) ?? []
  const argument = pointer.split('/')[1] ?? ''
  return new JsonApiError(400, {
    title: 'Invalid Argument',
    code: 'invalid_argument',
    detail: argument === '' ? say`The arguments ${what}.` : say`The argument ${argument} ${what}.`,
    source: { pointer },
  })
}
