Feature: Writers

  @helix.lifecycle.writer-creates @must
  Rule: Opening a writer creates the stream

    Scenario: Reading a stream that nothing was written to
      Given a new stream
      When the client attaches
      Then the answer is 200

  @helix.lifecycle.writer-close @must-not
  Rule: A writer that closes leaves the stream as it is

    Scenario: The only writer closes
      Given a stream that holds events 1 to 2
      And an attached client that must stay on its connection
      When the writer closes
      Then nothing else reaches the client

    Scenario: One of two writers closes
      Given a stream that holds events 1 to 2
      And writer "B" is opened
      And an attached client that must stay on its connection
      When writer "B" closes
      Then nothing else reaches the client

  @helix.lifecycle.closed-writer @must
  Rule: A closed writer writes no more

    Scenario: Writing through a closed writer
      Given a stream that holds event 1
      And an attached client
      And the writer closes
      When the closed writer tries to write
      Then the write is refused
      And nothing else reaches the client

  @helix.lifecycle.many-writers @must
  Rule: Several writers write to one stream

    Scenario: Three writers in turn
      Given a stream that holds event 1
      And writer "B" is opened
      And writer "C" is opened
      And an attached client
      And writer "B" writes event 2
      And writer "C" writes event 3
      When the writer writes event 4
      Then the client receives events 2 to 4
      And nothing else reaches the client
