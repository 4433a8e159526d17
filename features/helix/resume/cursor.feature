@resume
Feature: Resuming after an event

  @helix.resume.after-cursor @must
  Rule: A resumed stream starts after the acknowledged event

    Scenario Outline: Resuming after event <last>
      Given a stream that holds events 1 to 12
      When the client resumes after event <last>
      Then the client receives events <next> to 12

      Examples:
        | last | next |
        | 1    | 2    |
        | 8    | 9    |
        | 9    | 10   |
        | 10   | 11   |
        | 11   | 12   |

  @helix.resume.complete @must
  Rule: Everything after the cursor comes once

    Scenario Outline: Resuming an active stream after event <last>
      Given a stream that holds events 1 to 5
      When the client resumes after event <last>
      Then the client receives exactly events <next> to 5

      Examples:
        | last | next |
        | 1    | 2    |
        | 3    | 4    |
        | 4    | 5    |

    Scenario Outline: Resuming a stream that has <finished>
      Given a stream that holds events 1 to 5
      And the stream has <finished>
      When the client resumes after event 2
      Then the client receives events 3 to 5
      And the client receives the <frame> frame

      Examples:
        | finished | frame |
        | ended    | end   |
        | failed   | fail  |

    Scenario: Going on live after a resume
      Given a stream that holds events 1 to 4
      And the client resumes after event 2
      And the client receives what it missed
      When the writer writes events 5 to 7
      Then the client receives exactly events 5 to 7

  @helix.resume.query @must
  Rule: The query means what the header means

    Scenario Outline: Resuming after event <last> by query
      Given a stream that holds events 1 to 5
      When the client resumes after event <last> by query
      Then the client receives exactly events <next> to 5

      Examples:
        | last | next |
        | 1    | 2    |
        | 4    | 5    |

  @helix.resume.zero @must
  Rule: Zero is before the first event

    Scenario Outline: A cursor of 0 in the <place>
      Given a stream that holds events 1 to 3
      When the client resumes with the cursor "0" in the <place>
      Then the client receives exactly events 1 to 3

      Examples:
        | place  |
        | header |
        | query  |

  @helix.resume.first-sequence @should
  Rule: The first chunk has sequence 1

    Scenario: The first chunk of a stream
      Given a stream that holds events 1 to 2
      When the client attaches
      Then the client receives event 1 with sequence 1

  @helix.resume.gapless @should
  Rule: Sequences count up by one

    Scenario: Twelve events by two writers
      Given a stream that holds events 1 to 6
      And writer "B" is opened
      And writer "B" writes events 7 to 12
      When the client attaches
      Then the client receives events 1 to 12 with sequences that follow each other

  @helix.resume.stable @must
  Rule: A sequence always names the same chunk

    Scenario: Live, from the start and after a resume
      Given a stream that holds events 1 to 3
      And an attached client
      And the writer writes events 4 to 6, each after the client has received the one before
      And client "again" attaches
      And client "again" receives everything so far
      When client "resumed" resumes after event 2
      Then client "resumed" receives events 3 to 6
      And every sequence named one chunk on every connection

  @helix.resume.at-latest @must
  Rule: At the latest event there is nothing to replay

    Scenario: Waiting for what is written next
      Given a stream that holds events 1 to 3
      And the client resumes after event 3
      And the response head has arrived
      When the writer writes events 4 to 5
      Then the client receives exactly events 4 to 5

  @helix.resume.header-wins @must
  Rule: The header is newer than the query

    Scenario Outline: Event <header> in the header, event <query> in the query
      Given a stream that holds events 1 to 6
      When the client resumes with event <header> in the header and event <query> in the query
      Then the client receives exactly events <next> to 6

      Examples:
        | header | query | next |
        | 4      | 1     | 5    |
        | 2      | 5     | 3    |

    Scenario Outline: A query of "<query>" beside event 4 in the header
      Given a stream that holds events 1 to 6
      When the client resumes with event 4 in the header and the cursor "<query>" in the query
      Then the client receives events 5 to 6, or a 400

      Examples:
        | query |
        | abc   |
        | -1    |

  @helix.resume.cycles @must
  Rule: Cuts and resumes change nothing

    Scenario: Cut after each event while writes go on
      Given a stream that holds events 1 to 2
      And an attached client
      When the client is cut after each event while events 3 to 14 are written
      Then nothing else reaches the client

    Scenario: Cut in mid-frame
      Given a stream that holds events 1 to 6
      And the client attaches
      And the client is cut after event 3 in mid-frame
      When the client resumes after event 3
      Then the client receives exactly events 4 to 6

    Scenario: Cut three times in a row
      Given a stream that holds events 1 to 9
      And the client attaches
      And the client is cut after event 2
      And the client resumes after event 2
      And the client is cut after event 4
      And the client resumes after event 4
      And the client is cut after event 7
      When the client resumes after event 7
      Then the client receives exactly events 8 to 9

  @helix.resume.after-idle @should
  Rule: A resume works after any time

    Scenario: Resuming after the idle time
      Given a stream that holds events 1 to 4
      And nothing is written for the idle time
      When the client resumes after event 2
      Then the client receives exactly events 3 to 4

  @helix.resume.paused @must @status
  Rule: A paused stream can be resumed

    Scenario: Resuming while paused and reading on when active
      Given a stream that holds events 1 to 4
      And the stream is made paused
      And the client resumes after event 2
      And the client receives what it missed
      And the stream is made active
      When the writer writes events 5 to 6
      Then the client receives exactly events 5 to 6

  @helix.resume.removed-cursor @must @truncation
  Rule: A cursor may name a removed event

    Scenario: Resuming after an event that was removed
      Given a stream whose events are of steps 1, 2, 2
      And an attached client
      And the client disconnects
      And the stream is cleaned up to step 1
      And the writer writes an event of step 2
      When the client resumes after event 3
      Then the client receives exactly event 4

  @helix.resume.offset-alias @may
  Rule: fromOffset can stand for fromSequence

    Scenario: Asking with fromOffset
      Given a stream that holds events 1 to 4
      When the client asks for events after event 2 with fromOffset
      Then the client receives the rest, or everything, or a 400
