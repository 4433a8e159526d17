// What a stream is kept in under workerd: the SQLite of its Durable Object. Its calls don't wait, and what is written in
// one go is committed in one go. No answer leaves the object before what it answers is on the disk.

import { logEntry } from '../entry.mjs';
import { Refusal } from '../refusal.mjs';

const tables = `
  CREATE TABLE log (sequence INTEGER PRIMARY KEY, step INTEGER, chunk TEXT NOT NULL);
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE writers (id TEXT PRIMARY KEY, writer TEXT NOT NULL);`;

export class Sqlite {
  #sql;

  constructor({ sql }) {
    this.#sql = sql;
  }

  get exists() {
    return this.#one(`SELECT name FROM sqlite_master WHERE name = 'log'`) !== undefined;
  }

  create() {
    this.#sql.exec(tables);
  }

  drop() {
    this.#sql.exec('DROP TABLE log; DROP TABLE facts; DROP TABLE writers;');
  }

  get facts() {
    const rows = this.#sql.exec('SELECT name, value FROM facts').toArray();
    return Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value)]));
  }

  keep(facts) {
    for (const [name, value] of Object.entries(facts)) {
      this.#sql.exec('INSERT OR REPLACE INTO facts VALUES (?, ?)', name, JSON.stringify(value));
    }
  }

  writer(id) {
    const row = this.#one('SELECT writer FROM writers WHERE id = ?', id);
    return row && JSON.parse(row.writer);
  }

  setWriter(id, writer) {
    this.#sql.exec('INSERT OR REPLACE INTO writers VALUES (?, ?)', id, JSON.stringify(writer));
  }

  get entries() {
    return this.#sql.exec('SELECT sequence, chunk FROM log ORDER BY sequence').toArray().map(entryOf);
  }

  get count() {
    return this.#one('SELECT count(*) AS count FROM log').count;
  }

  append(entries) {
    for (const { sequence, step, chunk } of entries) {
      this.#sql.exec('INSERT INTO log VALUES (?, ?, ?)', sequence, step ?? null, JSON.stringify(chunk));
    }
  }

  next(cursor) {
    const row = this.#one('SELECT sequence, chunk FROM log WHERE sequence > ? ORDER BY sequence LIMIT 1', cursor);
    return row && entryOf(row);
  }

  removeAfter(step) {
    this.#sql.exec('DELETE FROM log WHERE step > ?', step);
  }

  removeAll() {
    this.#sql.exec('DELETE FROM log');
  }

  #one(query, ...values) {
    return this.#sql.exec(query, ...values).toArray()[0];
  }
}

function entryOf({ sequence, chunk }) {
  return logEntry(sequence, JSON.parse(chunk));
}
