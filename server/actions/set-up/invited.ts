import type { Directory } from '../../memory/directory.js'
import { namedAddresses, refusalOf } from '../accounts/invited-addresses.js'
import { domainOf, type WayToJoin } from './ways-to-join.js'

/** The addresses that the owner of a new organization invites. */
interface Invited {
  /** Without the owner's own. */
  readonly addresses: readonly string[]
  /** Those that could have no account. */
  readonly refused: readonly string[]
}

/** Reads the addresses of the setup form, by the rules that the organization will have. @throws {ApiError} BAD_REQUEST for too many */
export function readInvited(
  directory: Directory,
  text: string,
  { email, joining }: { readonly email: string; readonly joining: WayToJoin },
): Invited {
  if (/^[\s,]*$/.test(text)) return { addresses: [], refused: [] }
  const addresses = namedAddresses(text).filter(address => address.toLowerCase() !== email.toLowerCase())
  const domain = domainOf(email)
  const isOutside = (address: string) =>
    joining === 'domain' && (domainOf(address) !== domain || address.slice(0, address.lastIndexOf('@')).includes('+'))
  const refused = addresses.filter(address => refusalOf(directory, address).length > 0 || isOutside(address))
  return { addresses, refused }
}
