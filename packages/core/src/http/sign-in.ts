import type { Context } from 'koa'

/** How people sign in at the pages of a server, as what signs them in declares it. */
export interface SignIn {
  /**
   * Signs in by what was typed, and sets the cookie by which `authenticate` knows the browser.
   *
   * @throws {JsonApiError} 4xx for a wrong login or password: the form says why.
   */
  readonly password?: (ctx: Context, typed: { readonly login: string; readonly password: string }) => Promise<void>
  /** Other sites that know the people. */
  readonly providers?: readonly SignInProvider[]
  /** Signs out, here or everywhere. A URL, where the browser has to go to another site to end its session there. */
  readonly signOut: (ctx: Context, options: SignOutOptions) => Promise<URL | null>
}

/** A site that knows the people, and sends their browsers back. */
export interface SignInProvider {
  /** A part of the path, unlike those of the others. */
  readonly name: string
  /** What its button says: `Keycloak`. */
  readonly label: string
  /** Where the browser has to go. `callback` is where it comes back to, and `back` the page that it wanted. */
  readonly begin: (ctx: Context, places: { readonly callback: URL; readonly back: string }) => Promise<URL>
  /**
   * Signs in a browser that came back, and gives the page that it wanted. It has to be checked.
   *
   * @throws {JsonApiError} 4xx where it comes from somewhere else, or for somebody whom the application does not know.
   */
  readonly finish: (ctx: Context, places: { readonly callback: URL }) => Promise<string>
}

/** How somebody signs out. */
export interface SignOutOptions {
  /** In all browsers, and at the provider. */
  readonly everywhere: boolean
  /** The page to come back to. */
  readonly back: URL
}

/** What an `authenticate` declares of how people sign in; null where it takes credentials alone. */
export const signInOf = (authenticate: object | null | undefined): SignIn | null =>
  authenticate && 'signInMeans' in authenticate ? (authenticate.signInMeans as SignIn) : null
