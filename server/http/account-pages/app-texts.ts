import type { PageLanguage } from '../../text/page-language.js'

/** The page from which a person copies the sign-in into the desktop app. */
export const appTexts: Readonly<Record<PageLanguage, { title: string; says: string; label: string }>> = {
  en: {
    title: 'Go on in the app',
    says: 'Copy this text, and paste it into the app. It is valid for 15 seconds.',
    label: 'Text for the app',
  },
  de: {
    title: 'Weiter in der App',
    says: 'Kopiere diesen Text und füge ihn in der App ein. Er gilt 15 Sekunden.',
    label: 'Text für die App',
  },
}
