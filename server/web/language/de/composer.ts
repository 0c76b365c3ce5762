import { counterOf } from '../counter.js'
import type { Texts } from '../texts.js'

const count = counterOf('de')

export const composer: Texts['composer'] = {
  to: place => `Nachricht an ${place}`,
  toChannel: channel => `Nachricht an #${channel}`,
  topic: 'Thema',
  newTopic: 'Neues Thema',
  nowhere: 'Öffne zum Schreiben ein Thema oder eine Unterhaltung, oder beginne etwas Neues:',
  obstacle: {
    archived: 'Dieser Kanal ist archiviert und nimmt keine neuen Nachrichten an.',
    access: 'In diesem Kanal kannst du nicht schreiben.',
    permission: 'In diesem Kanal dürfen nur bestimmte Personen schreiben.',
    deactivated: 'Eine Person dieser Unterhaltung hat kein Konto mehr.',
  },
  direct: 'Direktnachricht',
  tooLong: by =>
    count(by, {
      one: n => `Die Nachricht ist um ${n} Zeichen zu lang.`,
      other: n => `Die Nachricht ist um ${n} Zeichen zu lang.`,
    }),
  needsTopic: 'Gib dem Thema zuerst einen Namen.',
  suggestions: 'Vorschläge',
  attach: 'Dateien anhängen',
  files: 'Dateien',
  emoji: 'Emoji',
  mention: 'Erwähnen',
  snippets: 'Textbausteine',
  preview: 'Vorschau',
  send: 'Senden',
  hintSends: 'sendet,',
  hintNewLine: 'neue Zeile',
  formatting: 'Formatierung',
  format: {
    bold: 'Fett',
    italic: 'Kursiv',
    strike: 'Durchgestrichen',
    link: 'Link',
    code: 'Code',
    quote: 'Zitat',
    list: 'Liste',
    numbers: 'Nummerierte Liste',
  },
  withKey: (title, key) => `${title} (${key})`,
  left: n => count(n, { other: n => `noch ${n}` }),
  over: n => count(n, { other: n => `${n} zu viel` }),
  looksLikeCode: 'Das sieht nach Code aus.',
  makeCode: 'Als Codeblock einfügen',
  leaveIt: 'So lassen',
  becomesPoll: 'Beim Senden wird daraus eine Umfrage.',
  becomesTasks: 'Beim Senden wird daraus eine Aufgabenliste.',
  uploads: 'Dateien werden hochgeladen',
  upload: file => `${file} wird hochgeladen`,
  cancelUpload: file => `Hochladen von ${file} abbrechen`,
  uploadFailed: (file, reason) => `${file}: ${reason}`,
  connectionBroke: 'Die Verbindung ist abgebrochen: Versuche es noch einmal.',
  uploadCancelled: 'Das Hochladen wurde abgebrochen.',
  wildcards: { all: 'alle, die diesen Kanal abonniert haben', topic: 'alle, die sich an diesem Thema beteiligen' },
}

export const emoji: Texts['emoji'] = {
  title: 'Emoji',
  search: 'Emoji suchen',
  found: 'Gefunden',
  ours: 'Diese Organisation',
  groups: {
    smileys: 'Smileys',
    people: 'Menschen',
    nature: 'Tiere und Natur',
    food: 'Essen und Trinken',
    travel: 'Reisen',
    activities: 'Aktivitäten',
    objects: 'Gegenstände',
    symbols: 'Symbole',
    flags: 'Flaggen',
  },
}
