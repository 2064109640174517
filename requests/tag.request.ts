import { ResourceRequest, string, unique } from 'prismapi'

export default class TagRequest extends ResourceRequest<'Tag'> {
  override rules() {
    return { name: string().required().test(unique()) }
  }
}
