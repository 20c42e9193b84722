import { section } from '../../text/section.ts';

/** What else people call the actions of the palette. Only the search knows these names, which are separated by commas. */
export const otherNames = section({
  en: {
    start: 'launch {name}, run {name}, boot {name}',
    stop: 'quit {name}, halt {name}, shut down {name}',
    restart: 'reboot {name}, relaunch {name}',
    backup: 'backup {name}, save {name}, snapshot {name}',
    addSchedule: 'new schedule for {name}, cron {name}, timer {name}',
    newServer: 'create server, add server',
    newUser: 'create user, add user, invite',
    scheme: 'dark mode, light mode, theme',
    signOut: 'log out',
  },
  de: {
    start: 'launch {name}, {name} hochfahren',
    stop: '{name} beenden, {name} ausschalten, {name} herunterfahren',
    restart: 'restart {name}, reboot {name}, {name} Neustart',
    backup: 'Backup {name}, Sicherung {name}',
    addSchedule: 'neuer Zeitplan {name}, Cron {name}, Timer {name}',
    newServer: 'Server erstellen, Server hinzufügen',
    newUser: 'Benutzer erstellen, Benutzer hinzufügen, User, einladen',
    scheme: 'Dark Mode, dunkles Design, helles Design',
    signOut: 'ausloggen, Logout',
  },
  zh: {
    start: 'start {name}, 开启 {name}, 开服 {name}',
    stop: 'stop {name}, 关闭 {name}, 关服 {name}',
    restart: 'restart {name}, reboot {name}, 重新启动 {name}',
    backup: 'backup {name}, 存档 {name}, 快照 {name}',
    addSchedule: '新建计划任务 {name}, 定时 {name}, cron {name}',
    newServer: '创建服务器, 添加服务器',
    newUser: '创建用户, 添加用户, 邀请',
    scheme: '深色模式, 浅色模式, 暗色, 主题',
    signOut: '注销, 登出',
  },
});
