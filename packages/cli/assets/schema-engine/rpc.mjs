import { createInterface } from 'node:readline'
import { toRpcError } from './errors.mjs'

/** JSON-RPC, a message per line: requests on stdin, answers on stdout, one after the other until stdin ends. */
export async function serve(methods) {
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) {
    if (line.trim() === '') continue
    const message = JSON.parse(line)
    // Without a method it acknowledges one of our `print`s.
    if (message.method) await write(await answer(methods, message))
  }
}

/** Has the CLI print something: its stdout belongs to it alone. */
export const print = (content) => write({ id: nextPrint++, method: 'print', params: { content } })

// Far from the ids that the CLI counts up from 1.
let nextPrint = 1_000_000_000

// A panic can surface outside of the call that caused it, which then never settles.
const crash = new Promise((_resolve, reject) => process.on('uncaughtException', reject))
crash.catch(() => {})

async function answer(methods, { id, method, params }) {
  try {
    const result = await Promise.race([methods.call(method, Array.isArray(params) ? params[0] : params), crash])
    return { id, result: result ?? {} }
  } catch (error) {
    return { id, error: toRpcError(error) }
  }
}

// Resolves when the line has left the process: `process.exit` would cut a long one short.
function write(message) {
  const line = JSON.stringify({ jsonrpc: '2.0', ...message }, mapToObject)
  return new Promise((resolve) => process.stdout.write(`${line}\n`, resolve))
}

// The engine gives maps where the native one writes objects.
const mapToObject = (_key, value) => (value instanceof Map ? Object.fromEntries(value) : value)
