import { st } from '../../language/settings-language.js'
import type { ChatState } from '../../state/chat-state.js'
import type { Hit, SettingsPlace } from '../../state/settings-place.js'
import { organizationSections } from './organization/sections.js'
import { ownSections } from './own/sections.js'
import type { Section } from './section.js'

export interface Chapter {
  readonly about: SettingsPlace['about']
  readonly sections: readonly Section[]
}

/** All sections that the user sees. */
export const chaptersFor = (state: ChatState): Chapter[] => [
  { about: 'settings', sections: ownSections.filter(({ isFor }) => isFor?.(state) ?? true) },
  { about: 'organization', sections: organizationSections.filter(({ isFor }) => isFor?.(state) ?? true) },
]

/** The section of an address; without one the first. */
export function sectionAt(chapters: readonly Chapter[], place: SettingsPlace): Section | undefined {
  const sections = chapters.find(({ about }) => about === place.about)?.sections
  return sections?.find(({ id }) => id === place.section) ?? sections?.[0]
}

/** The sections and settings with all of these words, in the order of the page. */
export function findSettings(chapters: readonly Chapter[], words: string): Hit[] {
  const wanted = words.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return []
  const has = (text: string) => wanted.every(word => text.toLocaleLowerCase().includes(word))
  const hits: Hit[] = []
  for (const { about, sections } of chapters) {
    for (const { id: section, parts } of sections) {
      const within = st(`sections.${section}`)
      if (has(within)) hits.push({ place: { about, section }, title: within, within: st(`frame.${aboutKey(about)}`) })
      for (const { title, names = [], rows = [] } of parts) {
        const part = title ? st(title) : ''
        for (const entry of [...names, ...rows.map(({ name }) => name)]) {
          const text = st(`rows.${entry}`)
          if (has(`${text} ${part}`)) hits.push({ place: { about, section, entry }, title: text, within })
        }
      }
    }
  }
  return hits
}

export const aboutKey = (about: SettingsPlace['about']) => (about === 'settings' ? 'own' : 'organization')
