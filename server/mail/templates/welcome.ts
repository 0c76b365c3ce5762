import type { MailContent } from '../../job-types/mail.js'
import type { Letter, Paragraph, Sender, Template } from '../template.js'

type Welcome = Extract<MailContent, { kind: 'welcome' }>

/** The mails in the order of their numbers. */
type Letters = readonly ((values: Welcome, sender: Sender) => Omit<Letter, 'footer'>)[]

const signIn = ({ url }: Sender, account: string) => `${url}/login/?email=${encodeURIComponent(account)}`

const en: Letters = [
  ({ account, isAdministrator }, sender) => ({
    subject: `Welcome to ${sender.organization}`,
    body: [
      `Your account at ${sender.organization} is ready. You sign in as ${account}.`,
      { label: 'Sign in here', link: signIn(sender, account) },
      { label: 'Apps for phones and computers ask for the address of the server', link: sender.url },
      ...(isAdministrator
        ? [{ action: 'Invite people', link: `${sender.url}/#organization/invitations` }]
        : [{ action: 'Fill in your profile', link: `${sender.url}/#settings/profile` }]),
    ],
  }),
  (_, sender) => ({
    subject: 'Topics keep conversations apart',
    body: [
      'Each message in a channel has a topic: a few words that say what the conversation is about.',
      'So you read one conversation after the other, and skip those that do not concern you. After a holiday you quickly find what was decided.',
      'To begin a conversation, choose a channel and write a new topic. When it is done, mark the topic as resolved.',
      { action: 'Open your inbox, in which topics with new messages are', link: `${sender.url}/#inbox` },
    ],
  }),
  (_, sender) => ({
    subject: 'Choose what reaches you',
    body: [
      'Follow the topics that matter to you, and mute topics and channels that do not.',
      'Direct messages, mentions and followed topics reach you also while the chat is closed, by mail and on your devices, as you set it.',
      { action: 'Set your notifications', link: `${sender.url}/#settings/notifications` },
    ],
  }),
  ({ isAdministrator }, sender) =>
    isAdministrator
      ? {
          subject: `Make ${sender.organization} your own`,
          body: [
            'As an administrator you decide who may do what, which channels new people get, and which fields profiles have.',
            { action: 'Look at the permissions', link: `${sender.url}/#organization/permissions` },
            { action: 'Choose the channels of new people', link: `${sender.url}/#organization/default-channels` },
          ],
        }
      : {
          subject: 'Find messages again',
          body: [
            'The search finds messages of all channels that you may read, also those from before you joined. Words such as “sender:” and “has:link” make it narrower.',
            'A star keeps a message at hand, a reminder brings it back at a time that you choose, and a message that you write today can be sent tomorrow.',
            { action: 'Open the chat', link: `${sender.url}/` },
          ],
        },
]

const de: Letters = [
  ({ account, isAdministrator }, sender) => ({
    subject: `Willkommen bei ${sender.organization}`,
    body: [
      `Dein Konto bei ${sender.organization} ist bereit. Du meldest dich als ${account} an.`,
      { label: 'Melde dich hier an', link: signIn(sender, account) },
      { label: 'Apps für Handy und Computer fragen nach der Adresse des Servers', link: sender.url },
      ...(isAdministrator
        ? [{ action: 'Lade andere ein', link: `${sender.url}/#organization/invitations` }]
        : [{ action: 'Fülle dein Profil aus', link: `${sender.url}/#settings/profile` }]),
    ],
  }),
  (_, sender) => ({
    subject: 'Themen halten Unterhaltungen auseinander',
    body: [
      'Jede Nachricht in einem Kanal hat ein Thema: ein paar Wörter dazu, worum es geht.',
      'So liest du eine Unterhaltung nach der anderen und überspringst, was dich nicht betrifft. Nach einem Urlaub siehst du schnell, was entschieden wurde.',
      'Um eine Unterhaltung zu beginnen, wähle einen Kanal und schreibe ein neues Thema. Ist sie erledigt, markiere das Thema als erledigt.',
      { action: 'Öffne den Posteingang mit den Themen, in denen es Neues gibt', link: `${sender.url}/#inbox` },
    ],
  }),
  (_, sender) => ({
    subject: 'Entscheide, was dich erreicht',
    body: [
      'Folge den Themen, die dir wichtig sind, und schalte Themen und Kanäle stumm, die es nicht sind.',
      'Direktnachrichten, Erwähnungen und Themen, denen du folgst, erreichen dich auch bei geschlossenem Chat, per E-Mail und auf deinen Geräten. Was davon, stellst du selbst ein.',
      { action: 'Stelle deine Benachrichtigungen ein', link: `${sender.url}/#settings/notifications` },
    ],
  }),
  ({ isAdministrator }, sender) =>
    isAdministrator
      ? {
          subject: `Richte ${sender.organization} ein`,
          body: [
            'Du verwaltest die Organisation: Du bestimmst, wer was darf, welche Kanäle neue Leute bekommen und welche Felder Profile haben.',
            { action: 'Sieh dir die Berechtigungen an', link: `${sender.url}/#organization/permissions` },
            { action: 'Wähle die Kanäle neuer Leute', link: `${sender.url}/#organization/default-channels` },
          ],
        }
      : {
          subject: 'So findest du Nachrichten wieder',
          body: [
            'Die Suche findet Nachrichten aller Kanäle, die du lesen darfst, auch solche aus der Zeit vor deinem Beitritt. Wörter wie „sender:“ und „has:link“ engen sie ein.',
            'Ein Stern hält eine Nachricht griffbereit, eine Erinnerung bringt sie zu einer Zeit deiner Wahl zurück, und was du heute schreibst, kann morgen gesendet werden.',
            { action: 'Öffne den Chat', link: `${sender.url}/` },
          ],
        },
]

const footers = {
  en: 'You get these mails in your first week.',
  de: 'Du erhältst diese E-Mails in deiner ersten Woche.',
}

export const welcome: Template<'welcome'> = {
  en: (values, sender) => letter(en, values, sender, footers.en),
  de: (values, sender) => letter(de, values, sender, footers.de),
}

function letter(letters: Letters, values: Welcome, sender: Sender, reason: Paragraph): Letter {
  const one = letters[values.number]
  if (!one) throw new Error(`there is no mail of welcome with the number ${values.number}`)
  return { ...one(values, sender), footer: [reason] }
}
