import { ResourceRequest, string } from 'prismapi'

const rules = { bio: string().nullable().max(2000), website: string().nullable() }

export default class ProfileRequest extends ResourceRequest<'Profile'> {
  override rules() {
    return this.checked(rules)
  }
}
