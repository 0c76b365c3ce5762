import type { SettingsTexts } from '../../texts.js'

export const lists: SettingsTexts['lists'] = {
  linkifiers: { add: 'Automatischen Link hinzufügen', none: 'Es gibt noch keinen automatischen Link.' },
  playgrounds: { add: 'Testseite hinzufügen', none: 'Es gibt noch keine Testseite.' },
  domains: { add: 'Domain hinzufügen', none: 'Es gibt noch keine Domain.', withSubdomains: 'mit ihren Subdomains' },
  folders: { add: 'Ordner hinzufügen', none: 'Es gibt noch keinen Ordner.' },
  defaultChannels: { add: 'Standardkanal hinzufügen', none: 'Es gibt noch keinen Standardkanal.' },
  defaultGroups: { add: 'Kanalgruppe hinzufügen', none: 'Es gibt noch keine Kanalgruppe.' },
  profileFields: { add: 'Profilfeld hinzufügen', none: 'Es gibt noch kein Profilfeld.' },
}

export const fields: SettingsTexts['fields'] = {
  pattern: 'Muster',
  url_template: 'Adresse',
  example_input: 'Beispiel',
  reverse_template: 'Text für eine eingefügte Adresse',
  playground_name: 'Name',
  pygments_language: 'Sprache des Codes',
  playground_url: 'Adresse',
  domain: 'Domain',
  allow_subdomains: 'Auch Adressen ihrer Subdomains',
  folder_name: 'Name',
  purpose: 'Beschreibung',
  default_channel: 'Kanal',
  group_name: 'Name',
  channels: 'Kanäle',
  field_type: 'Art',
  account: 'Website',
  field_name: 'Name',
  url_pattern: 'Adresse',
  choices: 'Auswahl',
  hint: 'Hinweis',
  required: 'Personen werden gebeten, es auszufüllen',
  editable_by_user: 'Personen ändern ihren eigenen Wert',
  display_in_profile_summary: 'In der Kurzform des Profils anzeigen',
  invitee_emails: 'E-Mail-Adressen',
  invite_as: 'Rolle',
  expires: 'Gültig für',
  with_default_channels: 'Den Standardkanälen beitreten',
  groups: 'Diesen Gruppen beitreten',
  notifies: 'Sag mir, wenn sie beitreten',
  welcome_text: 'Willkommensnachricht',
}

export const fieldHints: SettingsTexts['fieldHints'] = {
  pattern: 'Ein regulärer Ausdruck mit benannten Gruppen, zum Beispiel #(?P<id>[0-9]+)',
  url_template: 'Mit den Namen der Gruppen in Klammern, zum Beispiel https://tracker.example/issues/{id}',
  example_input: 'Ein Text, auf den das Muster passt.',
  reverse_template: 'Zum Beispiel #{id}. Es muss wieder das Beispiel ergeben.',
  pygments_language: 'Wie Codeblöcke sie nennen, zum Beispiel Rust.',
  playground_url: 'Mit dem Code in Klammern, zum Beispiel https://play.example/?code={code}',
  url_pattern: 'Mit %(username)s für den Namen des Kontos.',
  choices: 'In jeder Zeile eine.',
  welcome_text: 'Markdown. Anstelle der Nachricht der Organisation.',
  invitee_emails: 'Mit Kommas dazwischen oder jede in einer eigenen Zeile.',
}

export const fieldTypes: SettingsTexts['fieldTypes'] = {
  1: 'Kurzer Text',
  2: 'Langer Text',
  3: 'Auswahlliste',
  4: 'Datum',
  5: 'Link',
  6: 'Personen',
  7: 'Konto auf einer Website',
  8: 'Pronomen',
  github: 'GitHub',
  twitter: 'Twitter',
  other: 'Andere Website',
}

export const facts: SettingsTexts['facts'] = {
  methodsMeaning: 'Die Wege der Anmeldung richtet der Betreiber ein; Eigentümer schalten sie über die API ein und aus.',
  password: 'E-Mail-Adresse und Passwort',
  on: 'Ein',
  off: 'Aus',
  used: 'Alle Dateien zusammen',
  quota: 'Platz für Dateien',
  noQuota: 'Unbegrenzt',
  largest: 'Größte Datei',
  quotaMeaning: 'Die Grenzen legt der Betreiber des Servers fest.',
  mib: size => `${size} MiB`,
}
