<?php
namespace App\Http;

use App\Model\User;

/** Answers. */
abstract class Controller extends Base implements Runs
{
    use Logs;
    const LIMIT = 3;
    protected $users = [];

    public function __construct(private User $user, array $options = ['a' => 1])
    {
        body_mark(0);
        body_mark(1);
        body_mark(2);
        body_mark(3);
        body_mark(4);
        body_mark(5);
        body_mark(6);
    }

    abstract public function run(string $text): ?array;

    public static function make($name)
    {
        $text = "brace { $name";
        body_mark(0);
        body_mark(1);
        body_mark(2);
        body_mark(3);
        body_mark(4);
        body_mark(5);
        body_mark(6);
    }
}

function helper($x) {
    body_mark(0);
    body_mark(1);
    body_mark(2);
    body_mark(3);
    body_mark(4);
    body_mark(5);
    body_mark(6);
}
