import {
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'

// The tools, resources and prompts that scenarios of the vendor's conformance suite ask for, as their descriptions say.

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='
const text = (value: string) => ({ type: 'text' as const, text: value })
const image = { type: 'image' as const, data: png, mimeType: 'image/png' }
const none = fromJsonSchema<Record<string, never>>({ type: 'object' })
const schemaOf = (name: string, type = 'string') => ({
  type: 'object' as const,
  properties: { [name]: { type } },
  required: [name],
})
const elicit = (name: string, message: string, type = 'string') =>
  inputRequired.elicit({ message, requestedSchema: schemaOf(name, type) as never })
const sample = (question: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: text(question) }],
    maxTokens: 50,
  })
const codec = createRequestStateCodec<{ readonly step: number }>({ key: 'a key of the tests that is long enough' })

type Responses = Readonly<
  Record<string, { readonly action?: string; readonly content?: Record<string, unknown> } & object>
>
const responsesIn = ({ mcpReq }: ServerContext): Responses => (mcpReq.inputResponses ?? {}) as Responses
const capabilitiesIn = ({ mcpReq }: ServerContext) =>
  (mcpReq.envelope?.['io.modelcontextprotocol/clientCapabilities' as never] ?? {}) as Record<string, unknown>
const wait = () => new Promise((resolve) => setTimeout(resolve, 20))

type Handler = (ctx: ServerContext) => unknown

const tools: Readonly<Record<string, Handler>> = {
  test_simple_text: () => [text('This is a simple text response for testing.')],
  test_image_content: () => [image],
  test_audio_content: () => [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
  test_embedded_resource: () => [
    {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    },
  ],
  test_multiple_content_types: () => [
    text('Multiple content types test:'),
    image,
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: JSON.stringify({ test: 'data', value: 123 }),
      },
    },
  ],
  test_error_handling: () => ({
    content: [text('This tool intentionally returns an error for testing')],
    isError: true,
  }),
  async test_tool_with_progress({ mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
      await wait()
    }
    return [text('Done')]
  },
  async test_logging_tool({ mcpReq }) {
    await mcpReq.log('info', 'A message')
    return [text('Logged')]
  },
  // The SDK refuses what the client has not declared.
  test_missing_capability: () => inputRequired({ inputRequests: { greeting: sample('Generate a greeting') } }),
  test_streaming_elicitation: () =>
    inputRequired({ inputRequests: { user_name: elicit('name', 'What is your name?') } }),
  test_input_required_result_elicitation(ctx) {
    const { user_name: reply } = responsesIn(ctx)
    if (typeof reply?.content?.name !== 'string')
      return inputRequired({ inputRequests: { user_name: elicit('name', 'What is your name?') } })
    return [text(`Hello, ${reply.content.name}!`)]
  },
  test_input_required_result_sampling: (ctx) =>
    'capital_question' in responsesIn(ctx)
      ? [text(`The model said: ${JSON.stringify(responsesIn(ctx).capital_question)}`)]
      : inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?') } }),
  test_input_required_result_list_roots: (ctx) =>
    'client_roots' in responsesIn(ctx)
      ? [text(`Roots: ${JSON.stringify(responsesIn(ctx).client_roots)}`)]
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } }),
  test_input_required_result_request_state: (ctx) => stated(ctx, 'confirm', 'ok', 'state-ok'),
  test_input_required_result_tampered_state: (ctx) => stated(ctx, 'confirm', 'ok', 'state-ok'),
  async test_input_required_result_multiple_inputs(ctx) {
    const replies = responsesIn(ctx)
    if (['user_name', 'greeting', 'client_roots'].every((name) => name in replies)) return [text('All are there')]
    return inputRequired({
      inputRequests: {
        user_name: elicit('name', 'What is your name?'),
        greeting: sample('Generate a greeting'),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await codec.mint({ step: 1 }, ctx),
    })
  },
  async test_input_required_result_multi_round(ctx) {
    const { step = 0 } = ctx.mcpReq.requestState<{ step: number }>() ?? {}
    const replies = responsesIn(ctx)
    if (step === 2 && 'step2' in replies) return [text('Both are there')]
    const next = step === 1 && 'step1' in replies ? 2 : 1
    return inputRequired({
      inputRequests:
        next === 1
          ? { step1: elicit('name', 'Step 1: What is your name?') }
          : { step2: elicit('color', 'Step 2: What is your favorite color?') },
      requestState: await codec.mint({ step: next }, ctx),
    })
  },
  test_input_required_result_capabilities(ctx) {
    if (Object.keys(responsesIn(ctx)).length > 0) return [text('Done')]
    const has = capabilitiesIn(ctx)
    return inputRequired({
      inputRequests: {
        ...('elicitation' in has && { user_name: elicit('name', 'What is your name?') }),
        ...('sampling' in has && { greeting: sample('Generate a greeting') }),
      },
      requestState: 'any',
    })
  },
}

async function stated(ctx: ServerContext, name: string, field: string, word: string) {
  const { step } = ctx.mcpReq.requestState<{ step: number }>() ?? {}
  if (step === 1 && name in responsesIn(ctx)) return [text(word)]
  return inputRequired({
    inputRequests: { [name]: elicit(field, 'Please confirm', 'boolean') },
    requestState: await codec.mint({ step: 1 }, ctx),
  })
}

/** A server with the tools, resources and prompts of the suite. */
export function conformanceServer(): McpServer {
  const server = new McpServer(
    { name: 'fixture', version: '1' },
    {
      capabilities: { logging: {} },
      inputRequired: { legacyShim: false },
      requestState: { verify: codec.verify },
      instructions: 'A fixture.',
    },
  )
  for (const [name, handle] of Object.entries(tools))
    server.registerTool(name, { description: name, inputSchema: none }, (async (_: unknown, ctx: ServerContext) => {
      const result = await handle(ctx)
      return Array.isArray(result) ? { content: result } : result
    }) as never)
  const plain = { mimeType: 'text/plain', description: 'A resource of the suite' }
  server.registerResource('static text', 'test://static-text', plain, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }))
  server.registerResource(
    'static binary',
    'test://static-binary',
    { mimeType: 'image/png', description: 'A picture' },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: 'image/png', blob: png }] }),
  )
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json', description: 'A template' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  )
  const said = (content: object) => ({ messages: [{ role: 'user' as const, content }] }) as never
  server.registerPrompt('test_simple_prompt', { description: 'Simple' }, () =>
    said(text('This is a simple prompt for testing.')),
  )
  const args = (...names: readonly string[]) =>
    fromJsonSchema<Record<string, string>>({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      required: [...names],
    })
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With arguments', argsSchema: args('arg1', 'arg2') as never },
    ({ arg1, arg2 }: Record<string, string>) => said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource', argsSchema: args('resourceUri') as never },
    ({ resourceUri }: Record<string, string>) =>
      ({
        messages: [
          {
            role: 'user',
            content: {
              type: 'resource',
              resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
            },
          },
          { role: 'user', content: text('Please process the embedded resource above.') },
        ],
      }) as never,
  )
  server.registerPrompt(
    'test_prompt_with_image',
    { description: 'With an image' },
    () =>
      ({
        messages: [
          { role: 'user', content: image },
          { role: 'user', content: text('Please analyze the image above.') },
        ],
      }) as never,
  )
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks' }, ((ctx: ServerContext) => {
    const { user_context: reply } = responsesIn(ctx)
    if (reply === undefined)
      return inputRequired({
        inputRequests: { user_context: elicit('context', 'What context should the prompt use?') },
      })
    return said(text(`Context: ${String(reply.content?.context)}`))
  }) as never)
  server.server.registerCapabilities({ completions: {} })
  server.server.setRequestHandler('completion/complete', () => ({ completion: { values: ['paris'], hasMore: false } }))
  return server
}
