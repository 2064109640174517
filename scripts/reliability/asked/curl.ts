import type { TestRequest } from '@prismapi/testing/internal/send'

/** The command that sends a request again, to a server at the port of `npm start`. */
export function curlOf({ method, path, headers = {}, body }: TestRequest): string {
  const of = method === 'HEAD' ? ['-I'] : method === 'GET' ? [] : ['-X', method]
  const sent = Object.entries(headers).flatMap(([name, value]) => [
    '-H',
    quoted(value === '' ? `${name};` : `${name}: ${value}`),
  ])
  const data = body === undefined ? [] : ['--data-binary', quoted(body)]
  // A stream has no end, a path may have dots, and a query brackets.
  const words = ['curl', '-sig', '--path-as-is', '-m', '10', ...of, ...sent, ...data]
  return [...words, quoted(`http://127.0.0.1:3000${path}`)].join(' ')
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`
