Feature: Every stream on its own

  @helix.security.stream-id @must-not
  Rule: A stream id is a name and nothing else

    Scenario Outline: <other> beside <one>
      Given streams <one> and <other> with an event each
      When a client attaches to each of them
      Then each client receives its own stream's events alone

      Examples:
        | one       | other                       |
        | "{base}x" | "{base}y/../{base}x"        |
        | "{base}x" | "./{base}x"                 |
        | "{base}x" | "{base}%78"                 |
        | "{base}x" | "{base}x?fromSequence=0"    |
        | "{base}x" | "{base}x#top"               |
        | "{base}x" | "{base}x/events"            |
        | "{base}x" | "{base}x\r\\nX-Injected: 1"  |
        | "{base}x" | "{base}x;v=1"               |
        | "{base}x" | "{base}x\u0000"             |
        | "{base} x" | "{base}+x"                 |

  @helix.security.isolation @must-not
  Rule: Streams with similar ids don't mix

    Scenario Outline: The ids <one> and <other>
      Given streams <one> and <other> with an event each
      When a client attaches to each of them
      Then each client receives its own stream's events alone

      Examples:
        | one             | other             |
        | "{base}stream"  | "{base}Stream"    |
        | "{base}a"       | "{base}ab"        |
        | "{base}a"       | "{base}a "        |
        | "{base}a"       | "{base}a."        |
        | "{base}\u00e9"  | "{base}e\u0301"   |
        | "{base}1"       | "{base}01"        |

  @helix.security.body-limit @should
  Rule: A write has a limit

    Scenario: A chunk of more than 16 MiB
      Given a stream that holds event 1
      And an attached client
      When the writer tries to write a chunk of more than 16 MiB
      Then the huge chunk was refused or the connection was closed
      And nothing else reaches the client

  @helix.security.no-secret-echo @must-not
  Rule: An error keeps the secrets of the request

    Scenario: The error for a stream that never was
      When a client with secrets attaches to a stream that never was
      Then the answer holds no secret

    Scenario: A cursor that is no number
      Given a stream that holds event 1
      When a client with secrets resumes with the cursor "abc"
      Then the answer holds no secret

  @helix.security.credential @must @auth
  Rule: A reader shows its credential

    Scenario: Reading without the credential
      Given a stream that holds event 1
      When the client attaches without its credential
      Then the answer is 401 or 403
      And the answer is no event stream
