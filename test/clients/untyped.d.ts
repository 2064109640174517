// What the tests use of clients that come without types.

declare module 'devour-client' {
  type Attributes = Readonly<Record<string, unknown>>
  type Answered = Promise<ReturnType<JSON['parse']>>

  export default class JsonApi {
    constructor(options: { apiUrl: string; bearer?: string; logger?: boolean; pluralize?: false })
    define(model: string, attributes: Attributes, options?: { readOnly?: readonly string[] }): void
    findAll(model: string, params?: object): Answered
    find(model: string, id: string | number, params?: object): Answered
    create(model: string, resource: object, params?: object): Answered
    update(model: string, resource: object, params?: object): Answered
    destroy(model: string, id: string | number): Answered
    one(model: string, id: string | number): Builder
  }

  interface Builder {
    all(model: string): Builder
    relationships(name: string): Builder
    get(params?: object): Answered
    post(data: unknown): Answered
    patch(data: unknown): Answered
    destroy(data?: unknown): Answered
  }
}

declare module 'jsonapi-serializer' {
  export class Serializer {
    constructor(type: string, options: object)
    serialize(data: object): object
  }
  export class Deserializer {
    constructor(options?: object)
    deserialize(document: unknown): Promise<ReturnType<JSON['parse']>>
  }
}
