import PostRequest from '../../requests/post.request.ts'
import V1 from '../../src/app/v1/server.ts'
import { exampleWith, theExample, useServers } from './servers.ts'

/** The example, where another request may do something between the judging of a post and its write: once. */
export function useOvertaking() {
  let meanwhile: () => Promise<unknown> = async () => {}

  class Slow extends PostRequest {
    override async withExisting() {
      const overtake = meanwhile
      meanwhile = async () => {}
      await overtake()
      return null
    }

    override async metaForDelete(post: Parameters<PostRequest['metaForDelete']>[0]) {
      await this.withExisting()
      return super.metaForDelete(post)
    }
  }

  const api = useServers(async () => {
    const { servers } = await theExample()
    const requests = new Map(servers[0]?.requests)
    requests.set('Post', { request: Slow as never, query: null, collectionQuery: null })
    return exampleWith(V1, { requests })
  })
  return {
    api,
    overtake(work: () => Promise<unknown>) {
      meanwhile = work
    },
  }
}
