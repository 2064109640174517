import { date, ResourceRequest, string } from 'prismapi'

const rules = {
  name: string().required().max(200),
  email: string().email().required().max(200),
  phone: string().nullable().max(40),
  birthday: date().nullable(),
  taxNumber: string().nullable().max(40),
}

export default class ArtistRequest extends ResourceRequest<'Artist'> {
  override rules() {
    return this.checked(rules)
  }
}
