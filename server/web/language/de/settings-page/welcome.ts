import type { SettingsTexts } from '../../texts.js'

export const welcome: SettingsTexts['welcome'] = {
  title: organization => `Willkommen bei ${organization}`,
  says: {
    founder: 'Drei Schritte, und dein Team kann anfangen.',
    newcomer: 'Ein paar erste Schritte:',
  },
  steps: {
    channel: { title: 'Lege einen Kanal an', hint: 'Für ein Team, ein Projekt oder ein Thema.' },
    invite: { title: 'Lade Personen ein', hint: 'Per E-Mail oder mit einem Link, den du weitergibst.' },
    profile: { title: 'Fülle dein Profil aus', hint: 'Ein Bild und ein paar Worte helfen anderen, dich zu erkennen.' },
    browse: { title: 'Sieh dir die Kanäle an', hint: 'Abonniere die, die dich betreffen.' },
    hello: { title: 'Sag Hallo', hint: 'Schreibe deine erste Nachricht in einem Kanal.' },
  },
  topic: 'Vorstellungsrunde',
  done: 'Erledigt',
  close: 'Erste Schritte schließen',
}
