import { ResourceRequest, string, unique } from 'prismapi'

const rules = { name: string().required().test(unique()) }

export default class TagRequest extends ResourceRequest<'Tag'> {
  override rules() {
    return this.checked(rules)
  }
}
