/** The page about the user's own settings or the organization: `#settings/appearance`, `#organization/people/12`. */
export interface SettingsPlace {
  readonly about: 'settings' | 'organization'
  /** Undefined: the list of sections, beside which a wide screen shows the first one. */
  readonly section?: string
  /** A setting or an entry of the section. */
  readonly entry?: string
}

const form = /^\/?#(settings|organization)(?:\/([\w-]{1,60})(?:\/([\w-]{1,80}))?)?$/

/** Undefined for the address of something else. */
export function settingsPlaceOf(address: string): SettingsPlace | undefined {
  const [, about, section, entry] = form.exec(address) ?? []
  if (about === undefined) return undefined
  return { about: about as SettingsPlace['about'], ...(section && { section }), ...(entry && { entry }) }
}

/** The fragment of the URL. */
export const settingsAddress = ({ about, section, entry }: SettingsPlace): string =>
  [about, section, section && entry].filter(Boolean).join('/')

/** A setting or a section that a search found. */
export interface Hit {
  readonly place: SettingsPlace
  readonly title: string
  /** The section. */
  readonly within: string
}
