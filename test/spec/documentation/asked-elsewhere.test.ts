import { expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { fencesOf } from '../../support/documentation/fences.ts'

const api = useApi()

test('the stream of docs/asked-elsewhere.md begins with a snapshot', async () => {
  const shown = fencesOf('docs/asked-elsewhere.md').find(({ code }) => code.includes('text/event-stream'))
  const [, path = ''] = /^GET (\S+)$/m.exec(shown?.code ?? '') ?? []
  const ended = new AbortController()
  const response = await fetch(api.url(path), { headers: { Accept: 'text/event-stream' }, signal: ended.signal })
  const { value } = (await response.body?.pipeThrough(new TextDecoderStream()).getReader().read()) ?? {}
  ended.abort()
  expect(value).toMatch(/^event: ?snapshot\n/)
})
