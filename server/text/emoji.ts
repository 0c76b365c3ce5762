import { createRequire } from 'node:module'
import { acceptedToo, clientNames } from './emoji-names.js'

// If several sets use one name for different emoji, the first set wins.
const presets = ['emojibase', 'github', 'iamcal', 'joypixels', 'cldr', 'emojibase-legacy']
const skinTone = /1f3f[b-f]/

const { namesByCode, codeByName } = loadEmoji()

function loadEmoji(): { namesByCode: Map<string, string[]>; codeByName: Map<string, string> } {
  const namesByCode = new Map<string, string[]>()
  const codeByName = new Map<string, string>()
  const add = (code: string, name: string) => {
    if (codeByName.has(name) || !/^[a-z0-9_+-]+$/.test(name)) return
    codeByName.set(name, code)
    const names = namesByCode.get(code)
    if (names) names.push(name)
    else namesByCode.set(code, [name])
  }
  for (const [code, names] of Object.entries(clientNames)) for (const name of names.split(' ')) add(code, name)
  // createRequire, because Node 20 prints a warning when a module imports JSON.
  const require = createRequire(import.meta.url)
  for (const preset of presets) {
    const shortcodes = require(`emojibase-data/en/shortcodes/${preset}.json`) as Record<string, string | string[]>
    for (const [hexcode, names] of Object.entries(shortcodes)) {
      const code = hexcode.toLowerCase().replaceAll('-fe0f', '')
      // Clients have no images for skin tones.
      if (!skinTone.test(code)) for (const name of [names].flat()) add(code, underscored(name))
    }
  }
  return { namesByCode, codeByName }
}

function underscored(name: string): string {
  return name.toLowerCase().replace(/(?<=.)-/g, '_')
}

/** The Unicode emoji with this name. */
export function emojiByName(name: string): { emoji_code: string } | undefined {
  const emoji_code = codeByName.get(name)
  return emoji_code === undefined ? undefined : { emoji_code }
}

/** The name to show for a Unicode emoji; undefined for a code without an image in clients. */
export function nameOfEmojiCode(code: string): string | undefined {
  return namesByCode.get(code)?.[0]
}

/** Whether the name belongs to the code. */
export function isValidEmoji(name: string, code: string): boolean {
  return codeByName.get(name) === code || (Object.hasOwn(acceptedToo, name) && acceptedToo[name] === code)
}

/** The only emoji that is neither Unicode nor custom: its name and its code are the brand. */
export function extraEmoji(brand: string): { emoji_name: string; emoji_code: string; reaction_type: string } {
  return { emoji_name: brand, emoji_code: brand, reaction_type: `${brand}_extra_emoji` }
}

/** The document at `server_emoji_data_url`. */
export function emojiData(): { code_to_names: Record<string, string[]> } {
  return { code_to_names: Object.fromEntries(namesByCode) }
}
