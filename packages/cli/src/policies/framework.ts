// What `prismapi` is to the files of an application while its policies are looked at.
export * from 'prismapi/internal/building-blocks'

/** Nothing is answered here, and what answers requests takes longest to load. */
export function createApi(): never {
  throw new Error(
    'prismapi policies loads policies, servers and their classes alone, and one of these files calls createApi(). Call it in a file that they do not import, such as src/app/app.ts.',
  )
}
