import { ResourceRequest, string } from 'prismapi'

const rules = { name: string().required().max(200), city: string().required().max(100) }

export default class StudioRequest extends ResourceRequest<'Studio'> {
  override rules() {
    return this.checked(rules)
  }
}
