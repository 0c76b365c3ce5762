import type { SettingsTexts } from '../../texts.js'

export const files: SettingsTexts['files'] = {
  find: 'Dateien nach Name oder Wörtern suchen',
  where: 'Wo gesucht wird',
  everywhere: 'Meine Kanäle und Unterhaltungen',
  public: 'Alle öffentlichen Kanäle',
  none: 'Hier sind keine Dateien.',
  older: 'In älteren Nachrichten suchen',
  download: name => `${name} herunterladen`,
  show: name => `Nachricht mit ${name} zeigen`,
}
