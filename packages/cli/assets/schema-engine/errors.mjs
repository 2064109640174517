/** An error with one of Prisma's codes (P1001 …), which the CLI prints in its own words. */
export class EngineError extends Error {
  constructor(code, message, options) {
    super(message, options)
    this.code = code
  }
}

/** What the CLI expects in `error` of a JSON-RPC answer. */
export function toRpcError(error) {
  const isPanic = error instanceof WebAssembly.RuntimeError
  const { code, message } = isPanic ? { message: panicMessage(error) } : toPlain(error)
  return {
    code: 4466,
    message: 'An error happened. Check the data field for details.',
    data: {
      is_panic: isPanic,
      message,
      meta: error?.meta ?? null,
      error_code: code,
      ...(isPanic && { error: { message } }),
    },
  }
}

// The engine throws an Error with a code, or whose message is JSON with one, or whose message begins with one.
function toPlain(error) {
  const text = error?.message ?? String(error)
  const json = parseObject(text)
  const [head = '', code] = /^(P\d{4})\s*\n+/.exec(json?.message ?? text) ?? []
  return {
    code: json?.error_code ?? error?.code ?? code,
    message: (json?.message ?? text).slice(head.length),
  }
}

function parseObject(text) {
  try {
    return Object(JSON.parse(text))
  } catch {
    return null
  }
}

const panicMessage = (error) => globalThis.PRISMA_WASM_PANIC_REGISTRY?.get() || error.message
