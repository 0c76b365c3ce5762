import type { Ctx } from '../../ctx.js'
import type { After } from '../../job-types/job-type.js'
import { addNotices } from '../../job-types/notice.js'
import type { Tx } from '../../store/driver/db.js'
import { contentsOf, type UndecidedMessage } from '../../store/notify/undecided-messages.js'
import type { InLanguages, PageLanguage } from '../../text/page-language.js'
import { isOfWelcomeBot } from '../messages/system-bots.js'
import { languageOfReader } from '../notice-language.js'

interface Words {
  /** By what was asked. */
  readonly answers: Readonly<Record<string, string>>
  readonly help: (words: string) => string
}

const inLanguages: InLanguages<Words> = {
  en: {
    answers: {
      apps: 'Apps for phones and computers ask for the address of this server. Or add this page to your device, from the menu of the browser.',
      profile:
        'Others recognize you by your name, a picture and a few words about you: [your profile](/#settings/profile).',
      theme: 'Light, dark, or as your device has it, and the language: [appearance](/#settings/appearance).',
      channels:
        'A channel is for a team, a project or a subject. Its members get its messages. You find those that you can join in the list of channels.',
      topics:
        'Each message in a channel has a topic, a few words that say what the conversation is about. So you read one conversation after the other, and skip those that do not concern you. When a topic is done, mark it as resolved.',
    },
    help: words =>
      `I answer to one word: ${words}. Your [settings](/#settings/profile) are behind your picture. For anything else, ask in a channel, or ask an administrator.`,
  },
  de: {
    answers: {
      apps: 'Apps für Handy und Computer fragen nach der Adresse dieses Servers. Oder füge diese Seite über das Menü des Browsers deinem Gerät hinzu.',
      profil:
        'Andere erkennen dich am Namen, an einem Bild und an ein paar Worten über dich: [dein Profil](/#settings/profile).',
      darstellung: 'Hell, dunkel oder wie dein Gerät, und die Sprache: [Darstellung](/#settings/appearance).',
      kanäle:
        'Ein Kanal ist für ein Team, ein Projekt oder ein Gebiet. Wer dabei ist, bekommt seine Nachrichten. Kanäle, denen du beitreten kannst, findest du in der Liste der Kanäle.',
      themen:
        'Jede Nachricht in einem Kanal hat ein Thema: ein paar Wörter dazu, worum es geht. So liest du eine Unterhaltung nach der anderen und überspringst, was dich nicht betrifft. Ist ein Thema erledigt, markiere es so.',
    },
    help: words =>
      `Ich antworte auf ein Wort: ${words}. Deine [Einstellungen](/#settings/profile) sind hinter deinem Bild. Frag alles andere in einem Kanal oder eine Person aus der Administration.`,
  },
}

/**
 * Has the welcome bot answer each direct message that a person sends to it alone. Runs in the transaction that decides who is notified, so each
 * message is answered once.
 */
export async function answerWelcomes(
  { directory }: Pick<Ctx, 'directory'>,
  tx: Tx,
  after: After,
  messages: readonly UndecidedMessage[],
): Promise<void> {
  const { users } = directory
  const asked = messages.filter(({ participants, sender_id, isEdit }) => {
    if (isEdit || participants?.length !== 2 || !users.get(sender_id)?.is_active || users.get(sender_id)?.is_bot)
      return false
    const other = users.get(participants.find(id => id !== sender_id) ?? sender_id)
    return other !== undefined && isOfWelcomeBot(other)
  })
  if (asked.length === 0) return
  const contents = await contentsOf(
    tx,
    asked.map(one => one.id),
  )
  addNotices(
    after,
    asked.map(({ id, sender_id }) => ({
      to: { people: [sender_id] },
      content: answerTo(contents.get(id) ?? '', languageOfReader(directory, users.get(sender_id))),
      isWelcome: true,
      isAnswer: true,
    })),
  )
}

function answerTo(content: string, language: PageLanguage): string {
  const { answers, help } = inLanguages[language]
  const word = content
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '')
  const known = Object.keys(answers).map(one => `\`${one}\``)
  return (Object.hasOwn(answers, word) ? answers[word] : undefined) ?? help(known.join(', '))
}
